import { codesAfter } from '../storage/segment/vectors.ts'
import type { Program } from '../storage/program.ts'
import { readStoredCodes } from './vectors/stored-code.ts'
import { VectorCodes } from './vectors/vector-codes.ts'
import type { VectorArena } from './vectors/vector-arena.ts'

/** An embedding as a segment is brought up to it. */
export interface EmbeddingState {
  readonly id: number
  readonly vector_seq: number
  readonly dimension: number
}

/** What is read at once: 200 KiB of MiniLM's codes. */
const vectorsPerPage = 512

/** The vectors of a segment by one model, and the numbers under which the store has them. */
export class SegmentVectors {
  readonly embedding: number
  /** The last number that was looked at. */
  seq = 0
  /** True when not all fitted the memory for vectors. */
  partial = false
  readonly #codes: VectorCodes
  #seqs = new Float64Array(16)

  constructor(arena: VectorArena, { id, dimension }: EmbeddingState) {
    this.embedding = id
    this.#codes = new VectorCodes(arena, dimension)
  }

  get bytes(): number {
    return this.#codes.bytes + this.#seqs.byteLength
  }

  get dimension(): number {
    return this.#codes.dimension
  }

  /** Takes over what the store has since; `find` gives a message's number in the segment, or undefined when it has none. */
  *extend(state: EmbeddingState, find: (ord: number) => number | undefined): Program<void> {
    while (this.seq < state.vector_seq && !this.partial) {
      const { bodies, rows } = yield* codesAfter(state.id, this.seq, vectorsPerPage)
      const codes = readStoredCodes(bodies)
      for (const { seq, ord, scale, from, to } of rows) {
        const doc = find(ord)
        this.seq = seq
        if (doc !== undefined && to - from === this.dimension) this.#add(seq, codes.subarray(from, to), scale, doc)
      }
      if (rows.length < vectorsPerPage) this.seq = state.vector_seq
    }
  }

  /** Fills `into`, by message, with the best cosine of its passages; `noVector` where it has none. */
  scan(query: Float32Array, into: Float32Array): void {
    this.#codes.scan(query, into)
  }

  /** The number, in the store, of the passage of a message that is most like the query. */
  bestSeq(query: Float32Array, doc: number): number | undefined {
    const row = this.#codes.bestRow(query, doc)
    return row === undefined ? undefined : this.#seqs[row]
  }

  dispose(): void {
    this.#codes.dispose()
  }

  #add(seq: number, code: Int8Array, scale: number, doc: number): void {
    const row = this.#codes.rows
    if (!this.#codes.add(code, scale, doc)) {
      this.partial = true
      return
    }
    if (row === this.#seqs.length) {
      const wider = new Float64Array(row * 2)
      wider.set(this.#seqs)
      this.#seqs = wider
    }
    this.#seqs[row] = seq
  }
}
