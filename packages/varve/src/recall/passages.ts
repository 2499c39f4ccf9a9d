import { mostCost, type Passage } from '../index/passages.ts'
import type { Segment } from '../index/segment.ts'
import { answer, type Program } from '../storage/program.ts'
import { vectorAt } from '../storage/vectors.ts'

/** A passage that was compared in full precision. */
interface Compared extends Passage {
  readonly cosine: number
}

/** For one question, the passage of a message that is most like it: read from the store, each once. */
export class Passages {
  readonly #segment: Segment
  readonly #question: Float32Array | undefined
  readonly #known = new Map<number, Compared | undefined>()

  constructor(segment: Segment, question: Float32Array | undefined) {
    this.#segment = segment
    this.#question = question
  }

  /** The best passage of a message; undefined when it has no vector. */
  *best(doc: number): Program<Compared | undefined> {
    if (!this.#known.has(doc)) this.#known.set(doc, yield* this.#compare(doc))
    return this.#known.get(doc)
  }

  /** The best passage of a message that has several; undefined when all of it is one. */
  *partOf(doc: number, content: string): Program<Passage | undefined> {
    if (content.length <= mostCost) return yield* answer(undefined)
    const best = yield* this.best(doc)
    if (best === undefined) return undefined
    const { from, to } = best
    return content.slice(0, from).trim() === '' && content.slice(to).trim() === '' ? undefined : { from, to }
  }

  *#compare(doc: number): Program<Compared | undefined> {
    const { vectors } = this.#segment
    const seq = this.#question === undefined ? undefined : vectors?.bestSeq(this.#question, doc)
    const row = seq === undefined || vectors === undefined ? undefined : yield* vectorAt(vectors.embedding, seq)
    if (row === undefined || this.#question === undefined) return undefined
    return { from: row.begins, to: row.ends, cosine: dot(this.#question, row.body) }
  }
}

/** The dot product with a stored vector: 32-bit numbers, least significant byte first. */
function dot(question: Float32Array, stored: Uint8Array): number {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  if (stored.byteLength !== question.length * 4) throw new RangeError(`a stored vector has ${stored.byteLength} bytes, and ${question.length * 4} were expected`)
  let sum = 0
  for (let at = 0; at < question.length; at += 1) sum += (question[at] ?? 0) * view.getFloat32(at * 4, true)
  return sum
}
