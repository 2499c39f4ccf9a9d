/** A session is settled when nothing was recorded in it for this long: what follows after less is the same run. */
export const settleMs = 10 * 60 * 1000
