import { personIn } from './objects.ts'
import { ends, type Said } from '../../facts/said.ts'
import { relations } from './words.ts'
import { regex, source } from '../../word-lists.ts'

const one = "\\p{Lu}[\\p{L}'-]{1,30}(?: \\p{Lu}[\\p{L}'-]{1,30})?"
const spouse = '(?:husband|wife|partner|girlfriend|boyfriend|fiancée|fiancé)'
const isSpouse = new RegExp(`^${spouse}$`, 'u')
const whom = `(?:my (?:${spouse})(?: (?<called>${one}))?|(?<name>${one}))`
const parted = source`(?:have |had )?(?:just |recently |finally |sadly )?(?:split(?: up)?|broken? up|broke up|separated|got (?:divorced|
  separated)|divorced|parted(?: ways)?|called it quits)`
const parting = source`(?:are|'re|were) (?:now |currently |finally |also )?(?:splitting(?: up)?|breaking up|separating|(?:getting|
  going through) (?:a )?divorced?|divorcing|divorced|separated|no longer (?:together|a couple|married|engaged)|not (?:together|a couple|
  married|engaged) any ?more|history)|aren't (?:together|a couple|married|engaged) any ?more|(?:are|'re) over`
const two = regex('iu')`^(?:${whom} and (?:I|me)|(?:me|
  I) and ${whom.replaceAll('?<called>', '?<called2>').replaceAll('?<name>', '?<name2>')}) (?:${parted}|${parting})$`
const both = new RegExp(`^we(?:(?:'ve)? (?:${parted.replace('split(?: up)?', 'split up')})|(?: |(?='))(?:${parting}))$`, 'iu')
const alone = regex('iu')`^I(?:'m| am) (?:now |officially |finally |newly |recently )?(?:divorced|single(?: again| now)?|widowed|
  a widow(?:er)?|separated|getting (?:a divorce|divorced))$|^I (?:just |finally |recently )?got (?:a divorce|divorced)$|^I'm (?:not|
  no longer) (?:married|engaged|in a relationship)(?: any ?more)?$|^I'm not seeing anyone any ?more$`
const mine = regex('iu')`^I(?:'ve| have)? (?:just |finally |recently )?(?:divorced|broke(?:n)? up with|split(?: up)? (?:with|from)|
  separated from|dumped|got divorced from|left (?=my )) ?${whom}$`
const without = new RegExp(`^I(?:'m| am) (?:no longer|not) (?:with|dating|seeing|engaged to|going out with) ${whom}(?: any ?more)?$`, 'iu')
const theirs = regex('iu')`^${whom} (?:has )?(?:just |recently )?(?:left me|dumped me|divorced me|broke up with me|walked out on me)$`
const papers =
  /^(?:the|our|my) divorce (?:is|was|came|went|has come|has gone|'s) (?:now |finally )?(?:final|finali[sz]ed|through|done|official|over)$/iu

/** A clause without one of these words tells of no parting. */
const hint = regex('iu')`\b(?:split\p{L}*|bro(?:ke|ken)|breaking|separat\p{L}+|divorc\p{L}+|part(?:ed|ing)|quits|longer|not|over|history|
  single|widow\p{L}*|dumped|left|walked|ex|isn't|aren't)\b`

const role = relations.join('|')
const formerRole = new RegExp(`^(${one}) (?:is (?:not|no longer)|isn't|'s (?:not|no longer)) my (${role})(?: any ?more)?$`, 'iu')
const ex = new RegExp(`^(${one})(?: is|'s) (?:now )?my ex(?:[- ](${role}))?$`, 'iu')

/**
 * Reads partings of couples, and persons who are no longer the speaker's boss, friend or wife. `other` is the name in the clause
 * before, where this one goes on with `and I`.
 */
export function partings(said: string, next: string, other: string): Said[] {
  if (!hint.test(said)) return []
  const clause = other === '' ? said : `${other} and ${said}`
  const former = formerRole.exec(clause)
  if (former !== null)
    return /\b(?:(?:s?he|they)(?:'s|'re| is| are)|is|now) (?:now )?my \p{L}/iu.test(next) ? [] : partingFrom(former[1], former[2] ?? '')
  const left = ex.exec(clause)
  if (left !== null) return partingFrom(left[1], left[2] ?? 'partner')
  const groups = (two.exec(clause) ?? mine.exec(clause) ?? without.exec(clause) ?? theirs.exec(clause))?.groups
  if (groups !== undefined) return partingFrom(groups['called'] ?? groups['name'] ?? groups['called2'] ?? groups['name2'] ?? '', 'partner')
  return both.test(clause) || alone.test(clause) || papers.test(clause) ? partingFrom('', 'partner') : []
}

/** Ends a person's role. Whoever is called a partner may have been called a wife before. */
export function partingFrom(name: string | undefined, from: string): Said[] {
  const called = name === '' ? '' : personIn(name?.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) ?? '')
  const roles = isSpouse.test(from) ? ['married to', 'partner'] : [from]
  return roles.flatMap((predicate) => ends(predicate, called))
}
