import type { FactSource } from '../storage/known/assertion-rows.ts'

/** A time as it was said, and what it comes to: [from, to) in UTC milliseconds, absent where that could not be told. */
export interface SaidTime {
  readonly phrase: string
  readonly from?: number
  readonly to?: number
}

/**
 * Subject, predicate and object, with when it is true in the world (`validFrom`, `validUntil`) and when it was believed
 * (`recordedAt`, `supersededAt`). Times are UTC milliseconds; intervals are [from, until). What states the same is one fact,
 * and has all of its sources.
 */
export interface Fact {
  /** The same for all that is said of this subject, predicate and object. */
  readonly id: string
  /** The user's own name for what the user said of himself; `user` for the anonymous user. */
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly validFrom: number
  /** Absent: until further notice. */
  readonly validUntil?: number
  readonly recordedAt: number
  /** Since when it is known that it ended, or is not believed any more; absent for what stands. */
  readonly supersededAt?: number
  /** Id of the fact that took its place. */
  readonly supersededBy?: string
  /** Whether it is not believed any more that it ever was so: it was taken back, or corrected. */
  readonly retracted: boolean
  /** From 0 to 1. */
  readonly confidence: number
  readonly sources: readonly FactSource[]
  /** `extractive`, the model's name, or `person` for what was added by hand. */
  readonly writer: string
  /** Ids of the facts on which it rests. */
  readonly dependsOn: readonly string[]
  /** Whether one of those does not hold any more. It is not rendered as current. */
  readonly doubtful: boolean
  /** As it was said. */
  readonly when?: SaidTime
}
