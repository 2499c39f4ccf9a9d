import { matchesOf } from '../../../messages/matches-of.ts'
import { personIn } from './objects.ts'
import { type Opening, selfNamed } from './own-name.ts'
import { is, type Said } from '../../facts/said.ts'
import { relations } from './words.ts'
import { regex } from '../../word-lists.ts'

const kind = '(?:older|younger|little|big|elder|twin|eldest|oldest|youngest|middle|best|dear|new|good|old)'
const one = "\\p{Lu}[\\p{Ll}'-]*\\p{Ll}"
const mention = regex('gu')`\b(?:[Mm]y|[Oo]ur) (?:${kind} )?(${relations.join('|')})(?<link>'s name is(?: now)?| is now(?: called)?|
  's called| is called| is named|,? (?:called|named)|,| is)? (
  (?:(?:Dr|Prof|Mrs?|Ms)\.? )?${one}(?: (?!(?:Is|Has|Lives)\b)${one})?)(?!\p{L})(?=(?<mark>.{0,6}))`
const married = /^am (?:happily )?married to (.+)$/u

/** Roles with one person at a time: a new one replaces the one before. */
const oneAtATime: ReadonlySet<string> = new Set(['boss', 'landlord', 'landlady'])

/** Returns kin, friends and animals with names: `my sister Mira`. */
export function relationsIn(sentence: string): Said[] {
  return matchesOf(sentence, mention).flatMap(({ 0: all, 1: role = '', 3: called = '', groups }) => {
    // `my wife, Ada, and I` may be three.
    if (groups?.['link'] === ',' && /^,? and\b/u.test(groups['mark'] ?? '')) return []
    const isNow = / now\b/u.test(groups?.['link'] ?? '') || /^ now(?:$|[.,;! ])/u.test(groups?.['mark'] ?? '') || /^[Mm]y new /u.test(all)
    const ends = /^(?:[.,;!)]|$| and\b| now(?:$|[.,;!]))/u.test(groups?.['mark'] ?? '')
    const name = personIn(called.replace(/'s$/u, ''))
    // `My boss, Gro, …` and `my wife is Ragna.`: without a sign after it, the word is no name, or not all of it.
    if ((groups?.['link'] === ',' || groups?.['link'] === ' is') && !ends) return []
    return is(role.replaceAll(' in ', '-in-'), name, isNow && oneAtATime.has(role) ? { single: true } : {})
  })
}

/** Reads marriages. */
export function readMarriage(phrase: string): Said[] {
  return is('married to', personIn(married.exec(phrase)?.[1] ?? ''))
}

const myName = /^my (?:full |first |real )?name(?:'s| is) (.+)$/iu
const callMe = regex('u')`^(?:(?:but|so|and|btw) )?(?:please |just |you can |you may |you could |feel free to |(?:all |
  most of )?my friends |(?:most )?people |everyone calls me |people call me |friends call me |(?:you can |
  please )?just )?(?:call me )?(\p{Lu}.*)$`

/** Reads the speaker's name. */
export function nameIn(clause: string, phrase: string | undefined, opening: Opening): Said[] {
  const said = myName.exec(clause)?.[1]
  if (said !== undefined) return is('name', personIn(said))
  const plain = clause.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())
  if (/\b[Cc]alls? me \p{Lu}/u.test(clause)) return is('name', personIn(callMe.exec(plain)?.[1] ?? ''))
  return selfNamed(clause, phrase, opening)
}
