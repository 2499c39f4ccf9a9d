import { codesAfter } from '../storage/segment/vectors.ts'
import type { Program } from '../storage/program.ts'
import { readStoredCodes } from './vectors/stored-code.ts'
import { VectorCodes } from './vectors/vector-codes.ts'
import type { VectorArena } from './vectors/vector-arena.ts'

/** The embedding whose vectors a segment loads. */
export interface EmbeddingState {
  readonly id: number
  readonly partition_id: number
  readonly vector_seq: number
  readonly dimension: number
}

/** The messages of the vectors: the last ordinal that was looked at, and a lookup from ordinal to number. */
interface Messages {
  readonly seq: number
  find(ord: number): number | undefined
}

/** The vectors of a segment that a program may see, without those that others add meanwhile. Good while they are held. */
export interface VectorsView {
  /** The embedding under which the store has them. */
  readonly embedding: number
  /** The partition of the embedding. */
  readonly partition: number
  /** True when not all fitted the memory for vectors. */
  readonly partial: boolean
  /** Fills `into`, by message, with the best cosine of its passages; `noVector` for a message without one. */
  scan(query: Float32Array, into: Float32Array): void
  /** Returns the store's number of the message's passage that is most like the query. */
  bestSeq(query: Float32Array, doc: number): number | undefined
  /** Returns the store's numbers of all passages of a message, each with its cosine with the query. */
  seqsOf(query: Float32Array, doc: number): readonly { readonly seq: number; readonly cosine: number }[]
  /** Keeps the vectors after their segment is dropped, until `release` was called as often. */
  hold(): void
  release(): void
}

/** The vectors of a segment by one model, with their numbers in the store. */
export class SegmentVectors {
  readonly embedding: number
  readonly #partition: number
  /** The last number that was looked at. */
  seq = 0
  /** True when not all fitted the memory for vectors. */
  partial = false
  readonly #codes: VectorCodes
  #seqs = new Float64Array(16)
  #holders = 0
  isDisposed = false

  constructor(arena: VectorArena, { id, partition_id: partition, dimension }: EmbeddingState) {
    this.embedding = id
    this.#partition = partition
    this.#codes = new VectorCodes(arena, dimension)
  }

  get bytes(): number {
    return this.#codes.bytes + this.#seqs.byteLength
  }

  get dimension(): number {
    return this.#codes.dimension
  }

  /**
   * Loads the store's newer vectors of messages that the segment has seen. Several programs may do it at once: each
   * page adds only vectors that nobody added before.
   */
  *extend(state: EmbeddingState, segment: Messages, perPage: number): Program<void> {
    while (this.seq < state.vector_seq && !this.partial) {
      const { bodies, rows } = yield* codesAfter(state, this.seq, perPage)
      const codes = readStoredCodes(bodies)
      for (const { seq, ord, scale, from, to } of rows) {
        // The segment does not have this message yet: the program that adds the message loads its vector.
        if (ord > segment.seq) return
        if (seq <= this.seq || this.partial) continue
        const doc = segment.find(ord)
        this.seq = seq
        if (doc !== undefined && to - from === this.dimension) this.#add(seq, codes.subarray(from, to), scale, doc)
      }
      if (rows.length < perPage) this.seq = Math.max(this.seq, state.vector_seq)
    }
  }

  /** Returns the vectors with numbers up to `seq`. */
  asOf(seq: number): VectorsView {
    const rows = seq >= this.seq ? this.#codes.rows : this.#rowsUpTo(seq)
    return {
      embedding: this.embedding,
      partition: this.#partition,
      partial: this.partial,
      scan: (query, into) => this.#codes.scan(query, into, rows),
      bestSeq: (query, doc) => {
        const row = this.#codes.bestRow(query, doc, rows)
        return row === undefined ? undefined : this.#seqs[row]
      },
      seqsOf: (query, doc) => this.#codes.rowsOf(query, doc, rows).map(({ row, cosine }) => ({ seq: this.#seqs[row] ?? 0, cosine })),
      hold: () => this.hold(),
      release: () => this.release(),
    }
  }

  /** Keeps the memory after the segment is dropped, until `release` was called as often. */
  hold(): void {
    this.#holders += 1
  }

  release(): void {
    this.#holders -= 1
    if (this.isDisposed && this.#holders === 0) this.#codes.dispose()
  }

  /** Gives the memory back: at once, or when the last holder releases it. */
  dispose(): void {
    this.isDisposed = true
    if (this.#holders === 0) this.#codes.dispose()
  }

  /** Returns the number of rows up to a number, by binary search: numbers rise. */
  #rowsUpTo(seq: number): number {
    let low = 0
    let high = this.#codes.rows
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#seqs[middle] ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return low
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
