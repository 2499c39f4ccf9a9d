import type { Segment } from '../../index/segment.ts'
import { closeCosine, type SignalInput, type Part } from '../part.ts'

/** The length of a loop over messages in one call: short loops run at full speed (shortlist.ts). */
const stretch = 512

function compare({ count, dead, sessionPlaces }: Segment, cosines: Float32Array, from: number, best: Float32Array): void {
  const to = Math.min(count, from + stretch)
  for (let doc = from; doc < to; doc += 1) {
    const place = sessionPlaces[doc] ?? 0
    const cosine = cosines[doc] ?? 0
    if (cosine > (best[place] ?? 0) && dead[doc] === 0) best[place] = cosine
  }
}

/**
 * Gives the best cosine of any message of the session, 0 to 1: where one message is about it, others are. Silent
 * without vectors.
 */
export function sessionMeaning({ segment, candidates, cosines }: SignalInput): Part | undefined {
  if (cosines === undefined) return undefined
  const { sessionPlaces } = segment
  const best = new Float32Array(segment.sessionCount)
  for (let from = 0; from < segment.count; from += stretch) compare(segment, cosines, from, best)
  const values = new Float32Array(candidates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = best[sessionPlaces[candidates[at] ?? 0] ?? 0] ?? 0
  return {
    name: 'session',
    values,
    kind: 'about',
    text: (doc, value) => `in the session of ${dayInWords(segment.saidAt[doc] ?? 0)}${value < closeCosine ? '' : ', which is about it'}`,
  }
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** Formats a day as `8 May 2023`, in UTC. By hand: to make the first formatter of a process takes 8 ms. */
export function dayInWords(at: number): string {
  const day = new Date(at)
  return `${day.getUTCDate()} ${months[day.getUTCMonth()]} ${day.getUTCFullYear()}`
}
