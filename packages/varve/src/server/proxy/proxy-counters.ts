/** Counts of a proxy since it was made. */
export interface ProxyCounters {
  calls: number
  /** Calls that went on with less memory than there is. */
  degraded: number
  /** Calls that the upstream answered with a status of 400 or more, or not at all. */
  refused: number
  /** Replies that did not come to their end: left by the client, or cut by the upstream. */
  stopped: number
  cut: number
  /** Turns that were stored; turns that could not be, or that came while too many waited. */
  captured: number
  captureFailed: number
}

export function newCounters(): ProxyCounters {
  return { calls: 0, degraded: 0, refused: 0, stopped: 0, cut: 0, captured: 0, captureFailed: 0 }
}
