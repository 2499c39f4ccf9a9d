import type { NewPart } from '../storage/derived/part-stores.ts'
import type { Layer, LayerBasis } from '../storage/layers.ts'
import type { BulletBounds, ExtractiveWriter, GistBounds } from '../models/writer.ts'
import type { AskedTask } from '../tasks/instructions.ts'
import type { Problem } from '../tasks/problem.ts'
import type { TextTask } from '../tasks/text-tasks.ts'
import type { ReadSpan } from '../tasks/parts/read-span.ts'

/** The reading of a layer from a span of messages. */
export interface SpanReading {
  /** The task for a language model. */
  readonly task: AskedTask
  /** True when it rests on persons' words alone. A span without any is not read. */
  readonly personsOnly: boolean
  /** True when the model sees the attributes of states that hold now, so that it names them by the same words. */
  readonly seesAttributes?: boolean
  /** True when it is written, without a model, from messages with their secrets in them. Such items never leave their owner. */
  readonly seesSecrets: boolean
  /** Checks an answer. Gives its part, or the problem with it. \`writer\` finds commands, which no model is asked for. */
  readonly check: (answer: unknown, span: ReadSpan, writer: ExtractiveWriter) => Promise<NewPart | { readonly problem: Problem }>
  /** Makes the part without a model. */
  readonly extract: (writer: ExtractiveWriter, span: ReadSpan) => Promise<NewPart>
}

/** The making of one item, or one a day, from the parts of a session. A layer without it keeps its parts as they are. */
export interface Composing {
  /** The item's kind in the store (storage/derived/items.ts). */
  readonly kind: number
  /** True for one item for each day of talk; false for one item of the whole session. */
  readonly isByDay: boolean
  /** The task for a model that makes one of several parts. */
  readonly task: TextTask
  /** The longest item that is made without a model. */
  readonly bounds: GistBounds | BulletBounds
}

/**
 * Everything particular to a layer when it is written. The rooms that read and write layers go through these records.
 * Its tier in the context stands in context/tiers.ts. A record comes with schemas and checks: to load them would cost
 * each process that only asks 200 CPU-ms.
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
