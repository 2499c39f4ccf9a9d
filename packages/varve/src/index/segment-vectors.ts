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

/** The messages that vectors are of: the last ordinal that was looked at, and the number of the message at an ordinal. */
interface Messages {
  readonly seq: number
  find(ord: number): number | undefined
}

/** The vectors of a segment as a program may see them: what others add meanwhile is not among them. Good while they are held. */
export interface VectorsView {
  /** The embedding under which the store has them. */
  readonly embedding: number
  /** True when not all fitted the memory for vectors. */
  readonly partial: boolean
  /** Fills `into`, by message, with the best cosine of its passages; `noVector` where it has none. */
  scan(query: Float32Array, into: Float32Array): void
  /** The number, in the store, of the passage of a message that is most like the query. */
  bestSeq(query: Float32Array, doc: number): number | undefined
  /** Keeps them when their segment is let go, until `release` is called as often. */
  hold(): void
  release(): void
}

/** The vectors of a segment by one model, and the numbers under which the store has them. */
export class SegmentVectors {
  readonly embedding: number
  /** The last number that was looked at. */
  seq = 0
  /** True when not all fitted the memory for vectors. */
  partial = false
  readonly #codes: VectorCodes
  #seqs = new Float64Array(16)
  #holders = 0
  isDisposed = false

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

  /**
   * Takes over what the store has since, of the messages that the segment has seen.
   * Several programs may do it at once: a page adds what no other has added before it came.
   */
  *extend(state: EmbeddingState, segment: Messages, perPage: number): Program<void> {
    while (this.seq < state.vector_seq && !this.partial) {
      const { bodies, rows } = yield* codesAfter(state.id, this.seq, perPage)
      const codes = readStoredCodes(bodies)
      for (const { seq, ord, scale, from, to } of rows) {
        // Of a message that the segment does not have yet: whoever brings that takes over its vector.
        if (ord > segment.seq) return
        if (seq <= this.seq || this.partial) continue
        const doc = segment.find(ord)
        this.seq = seq
        if (doc !== undefined && to - from === this.dimension) this.#add(seq, codes.subarray(from, to), scale, doc)
      }
      if (rows.length < perPage) this.seq = Math.max(this.seq, state.vector_seq)
    }
  }

  /** Those with numbers up to `seq`. */
  asOf(seq: number): VectorsView {
    const rows = seq >= this.seq ? this.#codes.rows : this.#rowsUpTo(seq)
    return {
      embedding: this.embedding,
      partial: this.partial,
      scan: (query, into) => this.#codes.scan(query, into, rows),
      bestSeq: (query, doc) => {
        const row = this.#codes.bestRow(query, doc, rows)
        return row === undefined ? undefined : this.#seqs[row]
      },
      hold: () => this.hold(),
      release: () => this.release(),
    }
  }

  /** Keeps the memory, though the segment is let go, until `release` is called as often. */
  hold(): void {
    this.#holders += 1
  }

  release(): void {
    this.#holders -= 1
    if (this.isDisposed && this.#holders === 0) this.#codes.dispose()
  }

  /** Gives the memory back, at once or when the last who holds it lets go. */
  dispose(): void {
    this.isDisposed = true
    if (this.#holders === 0) this.#codes.dispose()
  }

  /** By halving: numbers rise. */
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
