import { type Said, weak } from '../../facts/said.ts'
import { regex } from '../../word-lists.ts'
import { belongingNouns, relations } from '../facts/words.ts'
import { state } from './parts.ts'
import { attributeWords } from './words.ts'

/** A thing of the speaker's kin: `my sister's flat`. */
export const kinOf = new RegExp(`\\b(?:${relations.join('|')}|kid|neighbour)'s |\\bparents' `, 'iu')

/** Tells whether a person or a thing can be somebody's so: `Mira is my new boss`. */
export function isRole(words: string): boolean {
  const last = words.split(' ').at(-1)?.toLowerCase() ?? ''
  return relations.includes(last) || attributeWords.has(last) || /(?:er|or|ist|ian|ant|lead|head|aide|name|choice)$/u.test(last)
}

/** Tells whether these are the words of a thing: short, and none of them a verb or an adverb. */
export function isThing(words: string): boolean {
  const some = words.split(' ')
  return some.length <= 5 && !some.some((word) => noThing.test(word))
}

const noThing = regex(
  'iu',
)`^(?:one|ones|your|yourself|them|it|you|me|looks?|seems?|feels?|think|going|goes|been|was|were|just|kinda|lately|who|that|and|
where|while|during|assume|in|when|info|world|hero|chapter|detective|competitor|government)$|(?<!fami|dai|week|month|hour|assemb|
supp|rep)ly$`

/** Tells whether a person or another team did it: then the change is theirs. */
export function isSomebody(np: string): boolean {
  return (
    relations.includes(np.toLowerCase().split(' ').at(-1) ?? '') ||
    /^the (?:other|neighbou?ring|next) |(?:team|company|client|colleagues?|people)$/iu.test(np)
  )
}

/** `Jule is with Jörn` tells of a person. `Standup is at 9:30` only begins a sentence. */
export function isPersonsName(np: string): boolean {
  return /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?$/u.test(np) && !attributeWords.has(np.toLowerCase())
}

const title = regex('u')`^(?:my|our) (?<role>(?:\p{Ll}[\p{Ll}-]*(?:'s)? ){1,3})(?<name>(?:(?:Dr|Prof|Mr|Mrs|
Ms)\.? )?\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?=$| [\p{Ll}])`

/** Reads `my niece Pia …`: a person or a thing with its name. */
export function titled(text: string): Said[] {
  const groups = title.exec(text)?.groups
  const last = groups?.['role']?.trim().split(' ').at(-1) ?? ''
  if (!isRole(last) && !belongingNouns.has(last)) return []
  if (/\b(?:to|of|in|at|from|for|with|and)$/u.test(groups?.['role']?.trim() ?? '')) return []
  return state(groups?.['role'], groups?.['name'], { confidence: weak, single: false })
}
