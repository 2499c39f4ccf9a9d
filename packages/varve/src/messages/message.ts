import type { Brand } from '../scope/brand.ts'

export const roles = ['user', 'assistant', 'tool', 'system'] as const
export type Role = (typeof roles)[number]

/** Whose words a message holds: what may become a fact about a person depends on it. */
export const origins = ['person', 'assistant', 'tool', 'system'] as const
export type Origin = (typeof origins)[number]

/** A message's own id: uuid v7, 36 characters, unique in the store. */
export type MessageId = Brand<string, 'MessageId'>

export type MetadataValue = string | number | boolean | null | readonly MetadataValue[] | { readonly [key: string]: MetadataValue }

/** A JSON object of the caller's, 16 KiB at most. Its strings, numbers, booleans and nulls at the top can be filtered by. */
export type Metadata = Readonly<Record<string, MetadataValue>>

/** The half-open range [from, to) of a text, in UTF-16 code units, that Varve itself had rendered into a prompt. */
export interface RecalledRange {
  readonly from: number
  readonly to: number
}

/** An AI SDK UIMessage, accepted as it is. Its metadata is unknown to the type, and has to be a JSON object. */
export interface HostMessage {
  readonly id?: string
  readonly role: Role
  readonly parts: readonly unknown[]
  readonly metadata?: unknown
}

/** What append takes: our own shape, an AI SDK ModelMessage (`content` as a list of parts), or a UIMessage (`parts`). */
export type AppendInput = MessageInput | HostMessage

/** One message as a caller gives it. */
export interface MessageInput {
  readonly role: Role
  /** Text, or the content parts of an AI SDK ModelMessage. 1 byte to 1 MiB of UTF-8. */
  readonly content?: string | readonly unknown[]
  /** When it was said: Date, ISO 8601 with offset, or UTC milliseconds. Default: now. At most a day ahead. */
  readonly at?: Date | string | number
  /** The caller's own id: the same id in the same session is stored once and reported as a duplicate. */
  readonly id?: string
  /** Who speaks, when the role does not tell. */
  readonly name?: string
  /** The parts of an AI SDK UIMessage, kept as they are. */
  readonly parts?: readonly unknown[]
  /** A line of talk within the session, such as a subagent's. */
  readonly thread?: string
  readonly metadata?: Metadata
  /** Default: person, assistant, tool, system, by role. */
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
  readonly thread?: string
  readonly content: string
  readonly parts?: readonly unknown[]
  readonly metadata?: Metadata
  /** When it was said, and when the store got it: UTC milliseconds. */
  readonly at: number
  readonly recordedAt: number
  /** Estimated tokens (tokenx). */
  readonly tokens: number
  readonly recalled?: readonly RecalledRange[]
}
