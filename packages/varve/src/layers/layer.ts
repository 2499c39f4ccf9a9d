import type { NewPart } from '../storage/derived/part-stores.ts'
import type { Layer, LayerBasis } from '../storage/layers.ts'
import type { BulletBounds, ExtractiveWriter, GistBounds } from '../models/writer.ts'
import type { AskedTask } from '../tasks/instructions.ts'
import type { Problem } from '../tasks/problem.ts'
import type { TextTask } from '../tasks/text-tasks.ts'
import type { ReadSpan } from '../tasks/parts/read-span.ts'

/** How a layer is read from a span of messages. */
export interface SpanReading {
  /** What a language model is asked. */
  readonly task: AskedTask
  /** It rests on persons' words alone: of a span without any, nothing is asked. */
  readonly personsOnly: boolean
  /** Without a model it is written from messages with their secrets in them, which never leave their owner. */
  readonly seesSecrets: boolean
  /** The part that an answer comes to, or why the answer cannot be used. */
  readonly check: (answer: unknown, span: ReadSpan) => Promise<NewPart | { readonly problem: Problem }>
  /** The part that is written without a model. */
  readonly extract: (writer: ExtractiveWriter, span: ReadSpan) => Promise<NewPart>
}

/** How the parts of a session become one item, or one of each day. A layer without it stands as it was read. */
export interface Composing {
  /** The item's kind in the store (storage/derived/items.ts). */
  readonly kind: number
  /** One item for each day on which something was said, or one for all of the session. */
  readonly isByDay: boolean
  /** What a model is asked that makes one of several parts. */
  readonly task: TextTask
  /** How long the item may be that is made without a model. */
  readonly bounds: GistBounds | BulletBounds
}

/**
 * All that is particular to a layer when it is written. The rooms that read and write layers go through these records.
 * Its tier in the context stands in context/tiers.ts: a record comes with schemas and checks, and to load these for
 * each process that only asks costs it 200 CPU-ms.
 */
export interface LayerRecord extends LayerBasis {
  readonly name: Layer
  readonly reading?: SpanReading
  readonly composing?: Composing
}

/** A layer for which spans are read. */
export interface ReadLayer extends LayerRecord {
  readonly reading: SpanReading
}

/** A layer whose parts are made into items. */
export interface ComposedLayer extends LayerRecord {
  readonly composing: Composing
}
