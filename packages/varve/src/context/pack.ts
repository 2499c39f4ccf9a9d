import { isCountable, type Tokenizer } from '../models/tokenizer.ts'
import { type Candidate, groupOf } from './candidates.ts'
import type { Omission } from './context.ts'

/** A candidate that found a place, with its tokens. */
export interface Packed {
  readonly candidate: Candidate
  readonly tokens: number
}

/**
 * A bound for texts that are not counted at all. A token of real text holds about 4 characters; such a text would need
 * over 40 in each to fit.
 */
const mostCharactersPerToken = 40

/** Candidates in the order in which they are wanted, and the tier's own room. */
export interface WantedCandidates {
  readonly candidates: readonly Candidate[]
  readonly room: number
}

/**
 * Fills tiers under one budget: each first within its own share. Then, in the same order, they take the room that
 * others left over. A candidate that does not fit is passed over, and smaller ones after it are tried.
 */
export function pack(tiers: readonly WantedCandidates[], budget: number, tokenizer: Tokenizer): { packed: Packed[]; omitted: Omission[] } {
  const packed: Packed[] = []
  const groups = new Set<string | undefined>()
  let left = budget
  const waiting: Packed[][] = []
  for (const { candidates, room } of tiers) {
    let own = Math.min(room, left)
    const rest: Packed[] = []
    for (const candidate of candidates) {
      const tokens = cost(candidate, left, tokenizer, groups)
      const item = { candidate, tokens }
      if (tokens <= own) {
        packed.push(item)
        groups.add(groupOf(candidate))
        own -= tokens
        left -= tokens
      } else rest.push(item)
    }
    waiting.push(rest)
  }
  const omitted: Omission[] = []
  for (const item of waiting.flat()) {
    if (item.tokens <= left) {
      packed.push(item)
      left -= item.tokens
    } else omitted.push(doesNotFit(item))
  }
  return { packed, omitted }
}

export function doesNotFit({ candidate, tokens }: Packed): Omission {
  return { tier: candidate.tier, id: candidate.id, count: 1, reason: reasonToOmit(candidate.line, tokens) }
}

/** Says why a text is not shown. */
export function reasonToOmit(text: string, tokens: number): string {
  if (Number.isFinite(tokens)) return `its ${tokens} tokens do not fit the budget`
  return isCountable(text) ? 'it does not fit the budget' : 'it has a run of over 2,000 characters without a break'
}

/** Counts exact tokens. Gives infinity for a text that would not fit or cannot be counted in reasonable time. */
export function tokensWithin(text: string, left: number, tokenizer: Tokenizer): number {
  if (text.length > left * mostCharactersPerToken || !isCountable(text)) return Number.POSITIVE_INFINITY
  return tokenizer.count(text)
}

/** Counts the tokens that a candidate adds: its line, and its heading unless another candidate brought it. */
function cost(candidate: Candidate, left: number, tokenizer: Tokenizer, groups: ReadonlySet<string | undefined>): number {
  const heading = candidate.heading === undefined || groups.has(groupOf(candidate)) ? '' : `${candidate.heading}\n`
  return tokensWithin(`${heading}${candidate.line}\n`, left, tokenizer)
}
