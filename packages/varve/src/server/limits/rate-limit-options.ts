/** The bounds of the limits. */
export interface RateLimitOptions {
  /** Requests of a minute for a key without a bound of its own. */
  readonly perMinute?: number
  /** Failed authentications of a minute for a network. */
  readonly failures?: number
  /** The most keys, and the most networks, that are counted at a time. */
  readonly most?: number
}
