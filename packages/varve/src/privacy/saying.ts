/** A line of a portrait: words that a person said. */
export interface Saying {
  /** The words, or a fact in short where its words say nothing by themselves. */
  readonly text: string
  /** The time when it was said, or when the fact was added: UTC milliseconds. */
  readonly at: number
  /** The session, and the messages (seq in it) that say so. Absent and empty for a fact that was added without messages. */
  readonly session?: string
  readonly from: readonly number[]
  /** Ids of the facts that it tells, which are always told. Empty for a sentence of a gist. */
  readonly facts: readonly string[]
  /** The agent that noted the fact: no person said so. */
  readonly notedBy?: string
}

/** A person in the words that were said: first who the person is, then what tells most, with at most five tastes. */
export interface Portrait {
  /** The person's name. The user's own name for the user; `user` for the anonymous user. */
  readonly subject: string
  readonly sayings: readonly Saying[]
}
