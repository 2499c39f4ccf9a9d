import type { Span } from '../lineage/span.ts'

/** What a session was about, in a paragraph. Times are UTC milliseconds. */
export interface Gist {
  readonly id: string
  readonly session: string
  /** The session's title, where it has one. */
  readonly name?: string
  readonly text: string
  readonly sentences: readonly GistSentence[]
  /** When people talked: the last message that it tells of. */
  readonly at: number
  readonly firstAt: number
  readonly writtenAt: number
  /** How many messages it was made from. */
  readonly messages: number
  /** `extractive`, the model's name, or `person` for what was written by hand. */
  readonly writer: string
  /** Written without the model that should have; upkeep writes it again. */
  readonly provisional: boolean
  readonly lineage: readonly Span[]
}

/** A sentence, and the messages (seq in the session) that it rests upon. */
export interface GistSentence {
  readonly text: string
  readonly from: readonly number[]
}
