import type { VectorMaker } from '../storage/segment/embeddings.ts'

/** A question's vector and its maker. It is compared only with vectors of the same maker. */
export interface AskedVector {
  readonly maker: VectorMaker
  /** Of length 1. */
  readonly vector: Float32Array
}
