import type { MainLine } from '../../messages/tool-calls.ts'
import type { RecalledRange, Role, Origin } from '../../messages/message.ts'

/** A message ready to be stored: validated, analysed, and timed. */
export interface PreparedMessage {
  readonly externalId: string | null
  readonly role: Role
  readonly origin: Origin
  readonly name: string | null
  readonly thread: string | null
  readonly content: string
  /** JSON, as given. */
  readonly parts: string | null
  /** JSON of a flat object. */
  readonly metadata: string | null
  readonly recalled: readonly RecalledRange[]
  readonly saidAt: number
  readonly tokens: number
  /** Its share in the session's main line of talk. */
  readonly main: MainLine
  /** The index's own encoding of the terms (index/terms-codec.ts). */
  readonly terms: Uint8Array
  /** Its traits in a byte (index/traits.ts). */
  readonly traits: number
}

/** A batch ready to be stored, and the languages of its session once it is. */
export interface PreparedBatch {
  readonly messages: readonly PreparedMessage[]
  /** ISO 639-1; '' while the session has too few letters. */
  readonly language: string
  /** Letters counted by language. */
  readonly votes: Readonly<Record<string, number>>
}
