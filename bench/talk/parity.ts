import type { Hit } from '../../packages/varve/src/index.ts'
import { share, table } from '../shared/table.ts'
import type { Answered } from './ask.ts'
import { isAnswerable } from './conversation.ts'
import { cutoffs, quality } from './quality.ts'

/** How alike two stores answer the same questions. */
export interface Parity {
  readonly questions: number
  /** The share of questions with the same first ten hits, in the same order. */
  readonly sameOrder: number
  /** … with the same first ten hits in any order. */
  readonly sameHits: number
  /** The largest difference of any, fraction and all, over the cutoffs. */
  readonly apart: number
}

const compared = 10
const targets = { sameHits: 0.99, apart: 0.003 } as const

/** Compares the answers of two stores to the same questions, in the same order. */
export function parityOf(one: readonly Answered[], other: readonly Answered[]): Parity {
  if (one.length !== other.length) throw new RangeError(`${one.length} and ${other.length} questions were asked`)
  const pairs = one.map(({ hits }, at) => [keysOf(hits), keysOf(other[at]?.hits ?? [])] as const)
  const alike = (order: (keys: readonly string[]) => readonly string[]): number =>
    pairs.filter(([ours, theirs]) => order(ours).join('\n') === order(theirs).join('\n')).length / pairs.length
  const [ours, theirs] = [quality(one.filter(isAnswerable)), quality(other.filter(isAnswerable))]
  const differences = (['any', 'fraction', 'all'] as const).flatMap((name) =>
    cutoffs.map((_, at) => Math.abs((ours[name][at] ?? Number.NaN) - (theirs[name][at] ?? Number.NaN))),
  )
  return {
    questions: pairs.length,
    sameOrder: alike((keys) => keys),
    sameHits: alike((keys) => keys.toSorted()),
    apart: Math.max(...differences),
  }
}

/** Names a hit alike in each store: ids of what was derived are random. */
function keysOf(hits: readonly Hit[]): string[] {
  return hits.slice(0, compared).map(({ kind, externalId, text }) => `${kind} ${externalId ?? text}`)
}

export function parityTable({ questions, sameOrder, sameHits, apart }: Parity): string {
  const met = (is: boolean): string => (is ? 'met' : 'MISSED')
  return table(
    [`beside SQLite, ${questions} questions`, 'figure', 'target', ''],
    [
      ['the same top 10, in the same order', share(sameOrder), '', ''],
      ['the same top 10', share(sameHits), `≥ ${share(targets.sameHits)}`, met(sameHits >= targets.sameHits)],
      ['any, fraction and all apart, at most', apart.toFixed(4), `≤ ${targets.apart}`, met(apart <= targets.apart)],
    ],
  )
}
