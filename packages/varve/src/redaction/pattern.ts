import { matchesOf } from '../messages/matches-of.ts'
import type { Finding } from './finding.ts'

/**
 * A secret's form. The secret alone is the group `secret`, or one of `double`, `single` and `bare`: what stands in
 * quotation marks, or in none. Without a group, the whole match is the secret.
 */
export interface Pattern {
  readonly label: string
  /** Global. Every repetition in it has a bound, so that the work for a text is its length times a constant. */
  readonly pattern: RegExp
  /** Not global. A cheap sign: a text without it has no match. */
  readonly trace?: RegExp
  /** Tells a secret from what only looks like one. */
  readonly isSecret?: (secret: string, match: RegExpExecArray) => boolean
  /** Gives the secret at a match's beginning, where the pattern cannot tell its end; '' for none. */
  readonly beginning?: (match: string) => string
  /** True for the name of a person or an account, which opens nothing. See `RedactionSet`. */
  readonly isPersonal?: boolean
}

/** Patterns that share the words without which none of them matches. */
export interface PatternGroup {
  /** In lower case. A search for them takes a fraction of the patterns' time, and most texts have none of them. */
  readonly words: readonly string[]
  readonly patterns: readonly Pattern[]
}

/** Finds the matches of some groups. `lower` is the text in lower case. */
export function findInGroups(text: string, lower: string, groups: readonly PatternGroup[]): Finding[] {
  return groups.flatMap(({ words, patterns }) => (words.some((word) => lower.includes(word)) ? findAll(text, patterns) : []))
}

/** Finds every match of some patterns. */
export function findAll(text: string, patterns: readonly Pattern[]): Finding[] {
  return patterns.flatMap((each) => findOne(text, each))
}

function findOne(text: string, { label, pattern, trace, isSecret, beginning, isPersonal = false }: Pattern): Finding[] {
  if (trace !== undefined && !trace.test(text)) return []
  const found: Finding[] = []
  for (const match of matchesOf(text, pattern)) {
    const { secret: marked, double, single, bare } = match.groups ?? {}
    const whole = marked ?? double ?? single ?? bare ?? match[0]
    const secret = beginning?.(whole) ?? whole
    if (secret === '' || isSecret?.(secret, match) === false) continue
    const from = match.index + (whole === match[0] ? 0 : match[0].lastIndexOf(whole))
    found.push({ from, to: from + secret.length, label, specific: true, isPersonal })
  }
  return found
}

/** Builds a global pattern from pieces, so that long ones stay readable. */
export function patternOf(flags: string, ...pieces: readonly string[]): RegExp {
  return new RegExp(pieces.join(''), `g${flags}`)
}
