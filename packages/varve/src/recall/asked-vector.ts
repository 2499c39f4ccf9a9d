import type { VectorMaker } from '../storage/segment/embeddings.ts'

/** A question as a vector, and by whom: it is compared with vectors of the same maker only. */
export interface AskedVector {
  readonly maker: VectorMaker
  /** Of length 1. */
  readonly vector: Float32Array
}
