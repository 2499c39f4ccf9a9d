/** A session is settled when nothing was recorded in it for this long. A message that comes sooner is part of the same run. */
export const settleMs = 10 * 60 * 1000
