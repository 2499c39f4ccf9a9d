import type { Program } from '../program.ts'
import type { EmbeddingKey, VectorMaker } from './embeddings.ts'
import type { TermsRow } from './terms.ts'

/** A question to the vectors of a partition's old messages. */
export interface FarQuestion {
  readonly key: EmbeddingKey
  /** The last ordinal that the index in memory leaves out. */
  readonly upTo: number
  readonly vector: Float32Array
  readonly wanted: FarFilter
}

/** The choice of messages. Sessions are numbers of the store, times UTC milliseconds. */
export interface FarFilter {
  readonly session: number | undefined
  readonly excludeSession: number | undefined
  readonly excludeSince?: number | undefined
  readonly from: number
  readonly to: number
}

/** A message near the question, or one said beside such a message. */
export interface FarRow extends TermsRow {
  /** Its passage that is most like the question; undefined without a vector. That of a message beside comes without its vector. */
  readonly passage:
    | { readonly from: number; readonly to: number; readonly cosine: number; readonly vector: Uint8Array | undefined }
    | undefined
}

export interface FarFound {
  /** By ascending ordinal. */
  readonly rows: readonly FarRow[]
  /** True when vectors of the partition still have to be copied. */
  readonly lacksSome: boolean
}

/** The memory that the index of a partition would take, as a sum, and its bound: bytes. */
export interface FarBound {
  readonly bytes: number
  readonly perStoredByte: number
  /** Of a vector, beside a byte a component. */
  readonly perVector: number
}

/**
 * The vectors of partitions whose index does not fit into memory, copied to where an approximate index of each finds them.
 * They are derived of the stored vectors, and go with them.
 */
export interface FarVectors {
  /** Finds the messages that are most like a question. One step. */
  search(question: FarQuestion): Program<FarFound>
  /** Tells whether `keep` has work. */
  isDue(maker: VectorMaker, bound: FarBound): Program<boolean>
  /** Makes an index that lacks, or copies some vectors. Returns whether there may be more to do. */
  keep(maker: VectorMaker, bound: FarBound): Program<boolean>
}
