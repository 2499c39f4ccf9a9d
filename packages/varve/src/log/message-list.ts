import type { Message } from '../messages/message.ts'

/** Messages of a session, oldest first. */
export type MessageList = readonly Message[] & {
  /** The place of the next page, when this page ended before its limit because its messages came to 16 MiB of text. */
  readonly before?: number
}
