import type { RecalledRange, Role, Origin } from '../messages/message.ts'

/** A message ready to be stored: validated, analysed, with its times. */
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
  /** The index's own encoding of the terms (index/terms-codec.ts). */
  readonly terms: Uint8Array
}
