import type { Fact } from '../facts/fact.ts'

/** A sentence of a gist that rests on the words of one person. */
export interface Saying {
  readonly text: string
  /** The session, and the messages (seq in it) that say so. */
  readonly session: string
  readonly from: readonly number[]
  /** The time when the last of them was said: UTC milliseconds. */
  readonly at: number
}

/** What a person said, the most telling first. */
export interface PersonSayings {
  /** The person's name. The user's own name for the user; `user` for the anonymous user. */
  readonly subject: string
  readonly sayings: readonly Saying[]
}

/** What is always told of a person, as it was said: who the person is, at most five tastes, then the person's own sayings. */
export interface Portrait extends PersonSayings {
  readonly facts: readonly Fact[]
}
