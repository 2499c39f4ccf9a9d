import { settling } from '../storage/settling.ts'

/** By default a session is settled when nothing was recorded in it for this long. A message that comes sooner is part of the same run. */
export const settleMs = settling.usualMinutes * 60_000
