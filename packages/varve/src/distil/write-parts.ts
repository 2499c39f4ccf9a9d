import { bulletBounds, type ExtractiveWriter, gistBounds, type Sentence, type SourceMessage } from '../models/writer.ts'
import { type DistilledLayer, bitOf, layersIn } from '../storage/layers.ts'
import type { ReadFacts } from '../storage/known/known.ts'
import type { NewPart } from '../storage/derived/parts.ts'
import type { Chunk } from './chunks.ts'
import type { Written } from './span-of.ts'
import type { TextLayer } from './prompts/layers.ts'

/** What a layer may rest upon: what a project shares, on a person's words alone. */
export function readableFor(layer: TextLayer, messages: readonly SourceMessage[]): readonly SourceMessage[] {
  return layer === 'shared' ? messages.filter(({ origin }) => origin === 'person') : messages
}

/** A span's parts as the extractive writer makes them, for layers as bits. */
export function extractParts(
  writer: ExtractiveWriter,
  messages: readonly SourceMessage[],
  { chunk, layers }: { chunk: Chunk; layers: number },
  written: Written,
): NewPart[] {
  return textLayersIn(layers).map((layer) => {
    const readable = readableFor(layer, messages)
    return newPart(chunk, layer, layer === 'gists' ? writer.gist(readable) : writer.bullets(readable), written)
  })
}

/** Layers that are made of sentences, of a set of bits. */
export function textLayersIn(layers: number): TextLayer[] {
  return layersIn(layers).filter((layer) => layer !== 'facts' && layer !== 'documents')
}

/** That a span was read for facts, and which. */
export function factsPart(chunk: Chunk, known: ReadFacts, written: Written): NewPart {
  return { ...newPart(chunk, 'facts', [], written), known }
}

export function newPart(chunk: Chunk, layer: DistilledLayer, sentences: readonly Sentence[], { writer, provisional }: Written): NewPart {
  const { from, to, messages, sitting, firstAt, lastAt } = chunk
  return { layer: bitOf(layer), from, to, messages, sitting, firstAt, lastAt, sentences, writer, provisional }
}

/** One gist, or one set of bullets, out of what several parts say. */
export function extractFusion(writer: ExtractiveWriter, layer: number, parts: readonly (readonly Sentence[])[]): Sentence[] {
  return writer.fuse(parts, layer === bitOf('gists') ? gistBounds : bulletBounds)
}
