import type { Brand } from '../scope/brand.ts'

export const roles = ['user', 'assistant', 'tool', 'system'] as const
export type Role = (typeof roles)[number]

/** The origins of a message's words. They decide whether the words may become facts about a person. */
export const origins = ['person', 'assistant', 'tool', 'system'] as const
export type Origin = (typeof origins)[number]

/** A message's own id: uuid v7, 36 characters, unique in the store. */
export type MessageId = Brand<string, 'MessageId'>

export type MetadataValue = string | number | boolean | null | readonly MetadataValue[] | { readonly [key: string]: MetadataValue }

/** A JSON object of the caller's, 16 KiB at most. Recall filters by the strings, numbers, booleans and nulls at its top. */
export type Metadata = Readonly<Record<string, MetadataValue>>

/** The half-open range [from, to) of a text, in UTF-16 code units, that Varve itself had rendered into a prompt. */
export interface RecalledRange {
  readonly from: number
  readonly to: number
}

/** An AI SDK UIMessage, accepted as it is. Its metadata has no type here, and must be a JSON object. */
export interface HostMessage {
  readonly id?: string
  readonly role: Role
  readonly parts: readonly unknown[]
  readonly metadata?: unknown
}

/** The input of append: Varve's own shape, an AI SDK ModelMessage (`content` as a list of parts), or a UIMessage (`parts`). */
export type AppendInput = MessageInput | HostMessage

/** One message as a caller gives it. */
export interface MessageInput {
  /** The role of the speaker towards the model. */
  readonly role: Role
  /** Text, or the content parts of an AI SDK ModelMessage. 1 byte to 1 MiB of UTF-8. */
  readonly content?: string | readonly unknown[]
  /** The time at which it was said: Date, ISO 8601 with offset, or UTC milliseconds. Default: now. At most a day ahead. */
  readonly at?: Date | string | number
  /** The caller's own id. The same id in the same session is stored once, and then reported as a duplicate. */
  readonly id?: string
  /** The speaker's name, when the role does not tell it. */
  readonly name?: string
  /** The parts of an AI SDK UIMessage, kept as they are. */
  readonly parts?: readonly unknown[]
  /** A line of talk within the session, such as a subagent's. */
  readonly thread?: string
  readonly metadata?: Metadata
  /** The origin of the words. Default by role: person, assistant, tool, system. */
  readonly origin?: Origin
}

/** One message as it is read back. `content` is byte for byte what was accepted. */
export interface Message {
  readonly id: MessageId
  readonly externalId?: string
  readonly session: string
  /** 1, 2, 3 … within the session. */
  readonly seq: number
  readonly role: Role
  readonly origin: Origin
  readonly name?: string
  /** The line of talk within the session, such as a subagent's; absent for the main line. */
  readonly thread?: string
  readonly content: string
  readonly parts?: readonly unknown[]
  readonly metadata?: Metadata
  /** The times at which it was said, and at which the store got it: UTC milliseconds. */
  readonly at: number
  readonly recordedAt: number
  /** Estimated tokens (tokenx). */
  readonly tokens: number
  /** Ranges of `content` that Varve itself had rendered. They are not searched, and nothing is derived from them. */
  readonly recalled?: readonly RecalledRange[]
}
