import type { Span } from '../lineage/span.ts'

/** One paragraph on a session. Times are UTC milliseconds. */
export interface Gist {
  readonly id: string
  readonly session: string
  /** The session's title, if it has one. */
  readonly name?: string
  readonly text: string
  /** Its sentences, each with the messages that it rests upon. */
  readonly sentences: readonly GistSentence[]
  /** The time of the last message that it covers. */
  readonly at: number
  /** The time of the first message that it covers. */
  readonly firstAt: number
  readonly writtenAt: number
  /** The number of messages that it was made from. */
  readonly messages: number
  /** `extractive`, the model's name, or `person` for a gist that was written by hand. */
  readonly writer: string
  /** True when it was written without the model that should have; upkeep writes it again. */
  readonly provisional: boolean
  /** The messages that it was made from. */
  readonly lineage: readonly Span[]
  /** Changes with every change of the gist, by hand or by upkeep: for `expectedVersion`. */
  readonly version: string
}

/** A text that a gist had until a person wrote another. Times are UTC milliseconds. */
export interface GistRevision {
  readonly revision: number
  readonly text: string
  /** `extractive`, the model's name, or `person`. */
  readonly writer: string
  readonly at: number
  /** Of an earlier text: the time at which it was replaced, and by whom. */
  readonly replacedAt?: number
  readonly replacedBy?: string
}

/** A sentence, and the messages (seq in the session) that it rests upon. */
export interface GistSentence {
  readonly text: string
  readonly from: readonly number[]
}
