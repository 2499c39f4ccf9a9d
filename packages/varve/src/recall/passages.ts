import type { EmbeddingKey } from '../storage/segment/embeddings.ts'
import { mostCost, type Passage } from '../index/passages.ts'
import type { VectorsView } from '../index/segment-vectors.ts'
import { answer, type Program } from '../storage/program.ts'
import { rangesAt, vectorsAt } from '../storage/segment/vectors.ts'

/** A passage, and its cosine with the question. */
export interface ComparedPassage extends Passage {
  readonly cosine: number
}

/** Tells whether a text may have more than one passage: a code unit costs at most one token. */
export function isLong(content: string): boolean {
  return content.length > mostCost
}

/**
 * The passages of messages that are most like one question. Reads each from the store once. Holds the vectors until
 * `release`.
 */
export class Passages {
  readonly #vectors: VectorsView | undefined
  readonly #question: Float32Array | undefined
  readonly #known = new Map<number, ComparedPassage | undefined>()

  constructor(vectors: VectorsView | undefined, question: Float32Array | undefined) {
    this.#vectors = vectors
    this.#question = question
    vectors?.hold()
  }

  release(): void {
    this.#vectors?.release()
  }

  /** Reads the best passage of each message. A message without a vector has none. */
  *read(docs: readonly number[]): Program<void> {
    const [vectors, question] = [this.#vectors, this.#question]
    if (vectors === undefined || question === undefined) return
    const seqs = new Map<number, number>()
    for (const doc of docs) {
      if (this.#known.has(doc)) continue
      this.#known.set(doc, undefined)
      const seq = vectors.bestSeq(question, doc)
      if (seq !== undefined) seqs.set(seq, doc)
    }
    if (seqs.size === 0) return
    for (const { seq, begins, ends, body } of yield* vectorsAt(keyOf(vectors), [...seqs.keys()])) {
      this.#known.set(seqs.get(seq) ?? 0, { from: begins, to: ends, cosine: dot(question, body) })
    }
  }

  /** Reads all passages of some messages, each with its cosine by one byte a component. */
  *all(docs: readonly number[]): Program<ReadonlyMap<number, readonly ComparedPassage[]>> {
    const [vectors, question] = [this.#vectors, this.#question]
    const found = new Map<number, ComparedPassage[]>()
    if (vectors === undefined || question === undefined || docs.length === 0) return found
    const places = new Map(docs.flatMap((doc) => vectors.seqsOf(question, doc).map(({ seq, cosine }) => [seq, { doc, cosine }] as const)))
    if (places.size === 0) return found
    for (const { seq, begins, ends } of yield* rangesAt(keyOf(vectors), [...places.keys()])) {
      const { doc, cosine } = places.get(seq) ?? { doc: 0, cosine: 0 }
      const passages = found.get(doc) ?? []
      found.set(doc, passages)
      passages.push({ from: begins, to: ends, cosine })
    }
    return found
  }

  /** Gives the cosine of a message's best passage, once it was read. */
  cosine(doc: number): number | undefined {
    return this.#known.get(doc)?.cosine
  }

  /** Gives the best passage of a message that has several; undefined when the message is one passage. */
  *partOf(doc: number, content: string): Program<Passage | undefined> {
    if (!isLong(content)) return yield* answer(undefined)
    yield* this.read([doc])
    return partIn(this.#known.get(doc), content)
  }
}

/** What a caller asks of passages, once their messages are ranked. */
export type PassageReader = Pick<Passages, 'read' | 'all' | 'partOf'>

/** Gives a message's best passage, unless it is all of a text. */
export function partIn(best: Passage | undefined, content: string): Passage | undefined {
  if (best === undefined || !isLong(content)) return undefined
  const { from, to } = best
  return content.slice(0, from).trim() === '' && content.slice(to).trim() === '' ? undefined : { from, to }
}

/** Gives the dot product with a stored vector: 32-bit numbers, least significant byte first. */
export function dot(question: Float32Array, stored: Uint8Array): number {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  if (stored.byteLength !== question.length * 4)
    throw new RangeError(`a stored vector has ${stored.byteLength} bytes, and ${question.length * 4} were expected`)
  let sum = 0
  for (let at = 0; at < question.length; at += 1) sum += (question[at] ?? 0) * view.getFloat32(at * 4, true)
  return sum
}

function keyOf({ embedding, partition }: VectorsView): EmbeddingKey {
  return { id: embedding, partition_id: partition }
}
