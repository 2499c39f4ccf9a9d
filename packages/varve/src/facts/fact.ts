import type { FactSource } from '../storage/known/assertion-rows.ts'

/** A time in words, and its range [from, to) in UTC milliseconds. The range is absent when the words do not tell it. */
export interface SaidTime {
  /** The words, as they were said. */
  readonly phrase: string
  readonly from?: number
  readonly to?: number
}

/**
 * A subject, predicate and object, with two times. `validFrom` and `validUntil` tell when it is true in the world;
 * `recordedAt` and `supersededAt` when it was believed. Times are UTC milliseconds; intervals are [from, until).
 * Statements that say the same are one fact, which has all of their sources.
 */
export interface Fact {
  /** The id. All statements of this subject, predicate and object have the same. */
  readonly id: string
  /** The subject. The user's own name for facts on the user; `user` for the anonymous user. */
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly validFrom: number
  /** Absent: until further notice. */
  readonly validUntil?: number
  /** The time at which the store got it. */
  readonly recordedAt: number
  /** The time since which it is known that it ended, or is no longer believed. Absent for a standing fact. */
  readonly supersededAt?: number
  /** Id of the fact that took its place. */
  readonly supersededBy?: string
  /** True for a fact that was taken back or corrected: it never held. */
  readonly retracted: boolean
  /** From 0 to 1. */
  readonly confidence: number
  /** The messages that say it; empty for a fact that was added by hand without sources. */
  readonly sources: readonly FactSource[]
  /** `extractive`, the model's name, `person` for a fact that was added by hand, or the name of the agent that added it. */
  readonly writer: string
  /** Ids of the facts on which it rests. */
  readonly dependsOn: readonly string[]
  /** True when one of the facts in `dependsOn` no longer holds. A doubtful fact is not rendered as current. */
  readonly doubtful: boolean
  /**
   * True when only others say it of a person who spoke about it too, or when an agent noted it against a person's words. It
   * ends nothing, and is not rendered as current.
   */
  readonly unverified?: true
  /** The words of its time. */
  readonly when?: SaidTime
  /** Changes with every statement that confirms, corrects or ends it: for `expectedVersion`. */
  readonly version: string
}

/** A merge of two names by hand. Times are UTC milliseconds. */
export interface Merge {
  /** The id for `facts.unmerge`. */
  readonly id: string
  /** The names, without regard to case; absent once a statement that named one was forgotten. */
  readonly entity?: string
  readonly into?: string
  /** `person`. */
  readonly by: string
  readonly at: number
  /** The time from which it cannot be taken back. */
  readonly until: number
  readonly undoneAt?: number
  readonly restorable: boolean
}
