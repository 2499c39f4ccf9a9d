import { isListed } from '../../index/postings.ts'
import type { FoundWord } from '../../index/score-words.ts'
import { windowSize } from '../../index/windows.ts'
import type { SignalGround, Part } from '../part.ts'

/**
 * How much of what the question says the message itself says: BM25's part of each word, at most 1, weighed by how rare the
 * word is among these messages (index/score-words.ts). 0 to 1. Silent when no word of the question says anything.
 */
export function matchedWords({ words: asked, scores }: SignalGround): Part | undefined {
  if (asked.length === 0) return undefined
  return {
    name: 'words',
    values: scores.own,
    kind: 'about',
    text: (doc) => `matches ${quoted(asked.filter(({ lists }) => isListed(lists, doc)))}`,
  }
}

/**
 * What the message gains when words of the question were said up to three messages before or after it: an answer seldom
 * repeats what it answers. 0 to 1, and with `words` never over 1. Stays within the session.
 */
export function around({ windows, words: asked, scores: { own, near } }: SignalGround): Part | undefined {
  if (asked.length === 0) return undefined
  const values = near.map((score, at) => (score - (own[at] ?? 0) < rounding ? 0 : score - (own[at] ?? 0)))
  const text = (_doc: number, _value: number, at: number): string => {
    const others = windows.subarray(at * windowSize + 1, (at + 1) * windowSize)
    return `near it: ${quoted(asked.filter(({ lists }) => others.some((other) => isListed(lists, other))))}`
  }
  return { name: 'around', values, kind: 'about', text }
}

/** Two sums of 32-bit numbers differ by as much though nothing was said near. */
const rounding = 1e-6

/** Words as they were written; stop words only when there are no others. */
function quoted(found: readonly FoundWord[]): string {
  const telling = found.filter(({ stop }) => !stop)
  return (telling.length > 0 ? telling : found).map(({ written }) => `'${written}'`).join(', ')
}
