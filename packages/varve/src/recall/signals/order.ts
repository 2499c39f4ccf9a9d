import { reach } from '../../index/windows.ts'
import type { AskedOrder } from '../asked-order.ts'
import { Best } from '../best.ts'
import type { Part, SignalInput } from '../part.ts'
import { dayInWords } from './session.ts'

/** Statements of one thing: so near to the best in score, and with so much of its words. */
const leastScore = 0.8
const leastWords = 0.5

/**
 * Gives 1 to the newest of the statements of one thing, when the question asks for the present, or to the oldest. The
 * others of them get less by their place in time. Statements of one thing are those that come near the best of the
 * messages in their score, and say as many of the question's words. Silent when there are no two of them.
 */
function byTime({ segment, candidates, scores }: SignalInput, totals: Float64Array, asked: 'newest' | 'oldest'): Part | undefined {
  const best = totals.reduce((most, total) => Math.max(most, total), 0)
  const near = [...totals.keys()].filter((at) => best > 0 && (totals[at] ?? 0) >= leastScore * best)
  const words = near.reduce((most, at) => Math.max(most, scores.own[at] ?? 0), 0)
  const saidAt = (at: number): number => segment.saidAt[candidates[at] ?? 0] ?? 0
  const alike = near.filter((at) => (scores.own[at] ?? 0) >= leastWords * words).toSorted((a, b) => saidAt(a) - saidAt(b) || a - b)
  if (alike.length < 2) return undefined
  if (asked === 'oldest') alike.reverse()
  const values = new Float32Array(candidates.length)
  for (const [place, at] of alike.entries()) values[at] = place / (alike.length - 1)
  const text = asked === 'newest' ? 'said later than others like it' : 'said before others like it'
  return { name: 'order', values, kind: 'about', text: (doc) => `${text}, on ${dayInWords(segment.saidAt[doc] ?? 0)}` }
}

/** The most messages that are looked at, and that are found before the rest stays as it is. */
const mostSpread = 200

/**
 * Gives its score to each message near one that ranks higher, when the question asks how things followed each other: they
 * speak of one point, and the question asks for all. A part of its score is all that a message loses.
 */
function beside({ segment, candidates }: SignalInput, totals: Float64Array): Part {
  const values = new Float32Array(candidates.length)
  const heap = new Best(Math.min(mostSpread, candidates.length))
  for (let at = 0; at < totals.length; at += 1) heap.offer(at, totals[at] ?? 0)
  const leading: number[] = []
  for (const { doc: at } of heap.take()) {
    const doc = candidates[at] ?? 0
    const isBeside = leading.some(
      (other) =>
        segment.sessions[other] === segment.sessions[doc] && Math.abs((segment.seqs[other] ?? 0) - (segment.seqs[doc] ?? 0)) <= reach,
    )
    if (isBeside) values[at] = totals[at] ?? 0
    else leading.push(doc)
  }
  return { name: 'beside', values, kind: 'about', text: () => 'beside a message that ranks higher' }
}

/** Gives the signal for the order that a question asks for, from the scores by all other signals. */
export function order(input: SignalInput, totals: Float64Array, asked: AskedOrder): Part | undefined {
  return asked === 'all' ? beside(input, totals) : byTime(input, totals, asked)
}
