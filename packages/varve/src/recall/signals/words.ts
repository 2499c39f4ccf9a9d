import { isListed } from '../../index/postings.ts'
import type { FoundWord } from '../../index/score-words.ts'
import type { Segment } from '../../index/segment.ts'
import type { Ground, Part } from '../part.ts'

/**
 * How much of what the question says the message itself says: BM25's part of each word, at most 1, weighed by how rare the
 * word is among these messages (index/score-words.ts). 0 to 1. Silent when no word of the question says anything.
 */
export function words({ candidates, scores }: Ground): Part | undefined {
  if (scores.words.length === 0) return undefined
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = scores.own[candidates[at] ?? 0] ?? 0
  return { name: 'words', values, kind: 'about', text: (doc) => `matches ${quoted(scores.words.filter(({ lists }) => isListed(lists, doc)))}` }
}

/**
 * What the message gains when words of the question were said up to three messages before or after it: an answer seldom
 * repeats what it answers. 0 to 1, and with `words` never over 1. Stays within the session.
 */
export function around({ segment, candidates, scores }: Ground): Part | undefined {
  if (scores.words.length === 0) return undefined
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) {
    const doc = candidates[at] ?? 0
    values[at] = Math.max(0, (scores.near[doc] ?? 0) - (scores.own[doc] ?? 0))
  }
  const text = (doc: number): string => {
    const window = windowOf(segment, doc)
    return `near it: ${quoted(scores.words.filter(({ lists }) => window.some((other) => isListed(lists, other))))}`
  }
  return { name: 'around', values, kind: 'about', text }
}

/** Neighbours that are looked at on each side. */
const reach = 3

function windowOf({ previous, next }: Segment, doc: number): number[] {
  const found: number[] = []
  for (const neighbour of [previous, next]) {
    let at = neighbour[doc] ?? -1
    for (let step = 0; step < reach && at >= 0; step += 1) {
      found.push(at)
      at = neighbour[at] ?? -1
    }
  }
  return found
}

/** Words as they were written; stop words only when there are no others. */
function quoted(found: readonly FoundWord[]): string {
  const telling = found.filter(({ stop }) => !stop)
  return (telling.length > 0 ? telling : found).map(({ written }) => `'${written}'`).join(', ')
}
