import type { Segment } from '../index/segment.ts'
import { noVector } from '../index/vectors/vector-codes.ts'
import type { SignalInput } from './part.ts'

/** The length of a loop over messages in one call: short loops run at full speed (shortlist.ts). */
const stretch = 512

/** Counts live messages without a vector; 0 when there is no question's vector. */
export function countWithoutVector({ segment, cosines }: SignalInput): number {
  // Most often there are none: one look tells.
  if (cosines === undefined || !cosines.subarray(0, segment.count).includes(noVector)) return 0
  let found = 0
  for (let from = 0; from < segment.count; from += stretch) found += countStretch(segment, cosines, from)
  return found
}

/** Gives 1 for each candidate without a vector. */
export function candidatesWithoutVector({ candidates, cosines }: SignalInput): Uint8Array {
  return Uint8Array.from(candidates, (doc) => Number(cosines?.[doc] === noVector))
}

function countStretch({ count, dead, lengths }: Segment, cosines: Float32Array, from: number): number {
  const to = Math.min(count, from + stretch)
  let found = 0
  for (let doc = from; doc < to; doc += 1) if (cosines[doc] === noVector && dead[doc] === 0 && (lengths[doc] ?? 0) > 0) found += 1
  return found
}
