import type { Message } from '../../messages/message.ts'
import type { SourceMessage } from '../../models/writer.ts'
import { bitOf, type DistilledLayer } from '../../storage/layers.ts'
import type { PartRange } from '../../storage/derived/parts.ts'

/** A run of a session's messages, of one sitting, that is read at once. */
export interface Chunk extends PartRange {
  /** Bits of the layers that are to be written from it. */
  readonly due: number
  /**
   * By the bit of a layer for which a message is read once: the first message that was not read for it, where that is
   * not the first of all.
   */
  readonly freshFrom?: ReadonlyMap<number, number>
}

/** Which writer writes, and whether its words are to be written again. */
export interface Written {
  readonly writer: string
  /** Written without the model that should have: to be written again. */
  readonly provisional: boolean
}

/** The stored session beside a span: statements are read against it. */
export interface StatementGround {
  /** The messages of the span, as they were said. */
  readonly messages: readonly Pick<Message, 'seq' | 'name' | 'content' | 'recalled' | 'at'>[]
  /** The session, in the store. */
  readonly session: number
  /** The name of the partition's own user; '' where the user has none. */
  readonly owner: string
  /** The owner's name as speakers are called: `user` where there is none. */
  readonly label: string
  readonly timeZone: string
  /** ISO 639-1; '' for unknown. */
  readonly language: string
  readonly writer: string
}

/** A span as a layer reads it. */
export interface ReadSpan {
  readonly chunk: Chunk
  readonly messages: readonly SourceMessage[]
  readonly written: Written
  /** Read from the store when a layer first asks for it. */
  ground(): Promise<StatementGround>
}

/** The first message of a chunk that is read for a layer. */
export function freshFrom({ from, freshFrom: fresh }: Chunk, layer: DistilledLayer): number {
  return fresh?.get(bitOf(layer)) ?? from
}

/** Who else speaks in the session, beside the span. */
export function speakersOf(messages: readonly SourceMessage[], { label }: Pick<StatementGround, 'label'>): readonly string[] {
  return messages.some(({ name }) => name !== undefined) ? [label] : []
}
