import type { Sentence } from '../../models/writer.ts'
import { bitOf, type DistilledLayer } from '../../storage/layers.ts'
import type { NewPart } from '../../storage/derived/part-stores.ts'
import type { Chunk, Written } from './read-span.ts'

/** Makes the part of one layer that was read from a chunk. */
export function newPart(chunk: Chunk, layer: DistilledLayer, sentences: readonly Sentence[], { writer, provisional }: Written): NewPart {
  const { from, to, messages, sitting, firstAt, lastAt } = chunk
  return { layer: bitOf(layer), from, to, messages, sitting, firstAt, lastAt, sentences, writer, provisional }
}
