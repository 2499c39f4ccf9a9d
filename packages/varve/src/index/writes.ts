import {
  type ClaimBound,
  claimEmbeddings,
  dropOutdated,
  type EmbeddingClaim,
  type MadeVectors,
  putOffEmbeddings,
  storeEmbeddings,
} from './embedding-work.ts'
import { keepFar } from './far-work.ts'
import type { Here, WritingHere } from '../storage/here.ts'
import { plain } from '../storage/offer.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'

/** The writes that give messages their vectors: claim under a lease, store, put off. */
export const embeddingWrites = {
  claim: ({ now }: Here, maker: VectorMaker, holder: string, leaseMs: number, bound: ClaimBound) =>
    claimEmbeddings(maker, { holder, now, until: now + leaseMs }, bound),
  store: (here: WritingHere, claim: Pick<EmbeddingClaim, 'items' | 'progress'>, vectors: MadeVectors, holder: string) =>
    here.write(() => storeEmbeddings(claim, vectors, holder), claim.items.length),
  putOff: plain(putOffEmbeddings),
  dropOutdated: plain(dropOutdated),
  /** Copies some vectors of partitions over the bound to where they are found; whether there may be more. */
  keepFar,
}
