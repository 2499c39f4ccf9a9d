import { isListed } from '../../index/postings.ts'
import type { FoundWord } from '../../index/score-words.ts'
import { windowSize } from '../../index/windows.ts'
import type { SignalInput, Part } from '../part.ts'

/**
 * Gives the part of the question's words that the message says, 0 to 1. Each word counts by its part of BM25, at most
 * 1, weighed by its rarity among these messages (index/score-words.ts). Silent when no word of the question tells
 * anything.
 */
export function matchedWords({ words: asked, scores }: SignalInput): Part | undefined {
  if (asked.length === 0) return undefined
  return {
    name: 'words',
    values: scores.own,
    kind: 'about',
    text: (doc) => `matches ${quoted(asked.filter(({ lists }) => isListed(lists, doc)))}`,
  }
}

/**
 * Gives a message's gain from words of the question up to three messages before or after it: an answer seldom repeats
 * its question. 0 to 1, and with `words` never over 1. Stays within the session.
 */
export function around({ windows, words: asked, scores: { own, near } }: SignalInput): Part | undefined {
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

/** Quotes words as they were written; stop words only when there are no others. */
function quoted(found: readonly FoundWord[]): string {
  const telling = found.filter(({ stop }) => !stop)
  return (telling.length > 0 ? telling : found).map(({ written }) => `'${written}'`).join(', ')
}
