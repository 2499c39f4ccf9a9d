import { findEmbedding, findModel, type VectorMaker } from '../storage/segment/embeddings.ts'
import type { Program } from '../storage/program.ts'
import type { EmbeddingState } from './segment-vectors.ts'

/** Returns the state of a maker's vectors of a partition; undefined when it has none. */
export function* embeddingOf(partition: number, maker: VectorMaker): Program<EmbeddingState | undefined> {
  const model = yield* findModel(maker)
  const row = model === undefined ? undefined : yield* findEmbedding(partition, model)
  return row === undefined || row.vector_seq === 0
    ? undefined
    : { id: row.id, partition_id: partition, vector_seq: row.vector_seq, dimension: maker.dimension }
}
