import type { Here } from '../storage/here.ts'
import type { Program } from '../storage/program.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import { type EmbeddingBacklog, embeddingBacklog, embeddingsDue } from './embedding-work.ts'
import { segmentsIn } from './segments.ts'

/** How many messages wait for their vectors, and how much memory the index takes. */
export const embeddingReads = {
  /** Whether a message waits for its vector, or was outdated for so long. Without a maker: whether there ever was a message. */
  due: (here: Here, maker: VectorMaker | undefined, holder: string, outdatedAfterMs: number) =>
    embeddingsDue(maker, holder, here.now, here.now - outdatedAfterMs),
  backlog: (_here: Here, maker: VectorMaker | undefined): Program<EmbeddingBacklog> => embeddingBacklog(maker),
  /** Bytes that the index takes in memory. */
  indexBytes: async (here: Here): Promise<number> => segmentsIn(here).bytes,
}
