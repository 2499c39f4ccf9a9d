import type { Segment } from './segment.ts'

/** The number of messages in a window on each side of a message. */
export const reach = 3

/** The size of a message's window: itself, then the one after and the one before, then those two away, and so on. */
export const windowSize = 1 + 2 * reach

/**
 * Returns the windows of some messages in their sessions, `windowSize` numbers a message. An empty place has the
 * segment's count, which is no message's number: a column with one place more has nothing there.
 */
export function windowsOf({ next, previous, count }: Pick<Segment, 'next' | 'previous' | 'count'>, docs: Int32Array): Int32Array {
  const windows = new Int32Array(docs.length * windowSize)
  for (let at = 0, slot = 0; at < docs.length; at += 1) {
    let after = docs[at] ?? 0
    let before = after
    windows[slot] = after
    slot += 1
    for (let step = 0; step < reach; step += 1) {
      after = after === count ? count : neighbour(next, after, count)
      before = before === count ? count : neighbour(previous, before, count)
      windows[slot] = after
      windows[slot + 1] = before
      slot += 2
    }
  }
  return windows
}

function neighbour(column: Int32Array, doc: number, otherwise: number): number {
  const found = column[doc] ?? -1
  return found < 0 ? otherwise : found
}
