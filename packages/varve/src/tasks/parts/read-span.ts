import type { Message } from '../../messages/message.ts'
import type { SourceMessage } from '../../models/writer.ts'
import { bitOf, type DistilledLayer } from '../../storage/layers.ts'
import type { PartRange } from '../../storage/derived/parts.ts'
import type { Hemisphere } from '../../projects/hemisphere.ts'

/** A run of a session's messages, of one sitting, that is read at once. */
export interface Chunk extends PartRange {
  /** Bits of the layers that are to be written from it. */
  readonly due: number
  /**
   * The first unread message, by the bit of a layer that reads a message once. Absent when that is the first message of
   * the chunk.
   */
  readonly freshFrom?: ReadonlyMap<number, number>
}

/** The writer of a part. */
export interface Written {
  readonly writer: string
  /** True when it was written without the model that should have: it is written again. */
  readonly provisional: boolean
}

/** The stored session beside a span: statements are read against it. */
export interface SpanSession {
  /** The messages of the span, as they were said. */
  readonly messages: readonly Pick<Message, 'seq' | 'name' | 'content' | 'recalled' | 'at'>[]
  /** The session, in the store. */
  readonly session: number
  /** The name of the partition's own user; '' for the anonymous user. */
  readonly owner: string
  /** The owner's name among the speakers: `user` for the anonymous user. */
  readonly label: string
  readonly timeZone: string
  /** The half of the earth whose seasons its words mean. */
  readonly hemisphere: Hemisphere
  /** ISO 639-1; '' for unknown. */
  readonly language: string
  readonly writer: string
}

/** A span as a layer reads it. */
export interface ReadSpan {
  readonly chunk: Chunk
  readonly messages: readonly SourceMessage[]
  readonly written: Written
  /** The attributes that the model was shown. */
  readonly attributes?: readonly string[]
  /** The stored session beside it. */
  readonly stored: SpanSession
}

/** Gives the first message of a chunk that is read for a layer. */
export function freshFrom({ from, freshFrom: fresh }: Chunk, layer: DistilledLayer): number {
  return fresh?.get(bitOf(layer)) ?? from
}

/** Gives the speakers of a session beside those in the span. */
export function speakersOf(messages: readonly SourceMessage[], { label }: Pick<SpanSession, 'label'>): readonly string[] {
  return messages.some(({ name }) => name !== undefined) ? [label] : []
}
