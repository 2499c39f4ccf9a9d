import { settling } from '../storage/settling.ts'

/** By default a session is settled when nothing was recorded in it for this long. A message that comes sooner is part of the same run. */
export const settleMs = settling.usualMinutes * 60_000

/** The time for reading a session after it has settled. */
const readingMs = 50 * 60_000

/** Gives how long a period stays open after its end: its last sitting settles, and is read. Usually an hour. */
export function openForMs(settling = settleMs): number {
  return settling + readingMs
}
