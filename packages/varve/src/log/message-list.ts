import type { Message } from '../messages/message.ts'

/** Messages of a session, oldest first. */
export type MessageList = readonly Message[] & {
  /** Where the next page goes on, when this one ended before its limit: its messages came to 16 MiB of text. */
  readonly before?: number
}
