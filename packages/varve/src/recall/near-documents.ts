import type { KnownDocument, Nearness } from '../documents/match.ts'
import { embeddingOf } from '../index/embedding-state.ts'
import type { Index, Segments } from '../index/segments.ts'
import { noVector } from '../index/vectors/vector-codes.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import { itemKinds, itemsAt } from '../storage/derived/items.ts'
import { subjectsOfPage } from '../storage/pages/page-facts.ts'
import { pageById } from '../storage/pages/pages.ts'
import { findDerivedOf } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { Best } from './best.ts'

/** A document that a subject may mean. */
export interface NearDocument extends KnownDocument<number> {
  readonly nearness: Nearness
}

/** The most passages that are looked at for the name, and for the facts. */
const mostLooked = 40

/**
 * Finds documents of a partition that are near to a subject, by their descriptions and their passages. Documents
 * without vectors are left out.
 */
export function* nearDocuments(
  segments: Segments,
  partition: number,
  maker: VectorMaker,
  asked: { name: Float32Array; facts: Float32Array },
): Program<readonly NearDocument[]> {
  const owner = yield* findDerivedOf(partition)
  const embedding = owner === undefined ? undefined : yield* embeddingOf(owner.id, maker)
  if (owner === undefined || embedding === undefined) return []
  const near = yield* segments.look(owner, embedding, (index) => ({
    description: nearest(index, asked.name),
    passage: nearest(index, asked.facts),
  }))
  const found = new Map<number, { description?: number; passage?: number }>()
  for (const kind of ['description', 'passage'] as const) {
    const best = near[kind]
    const items = new Map(
      (yield* itemsAt(
        owner.id,
        best.map(({ ord }) => ord),
        partition,
      )).map((item) => [item.ord, item]),
    )
    for (const { ord, score } of best) {
      const item = items.get(ord)
      if (item?.kind !== itemKinds.document) continue
      const page = yield* pageById({ id: item.page_id, partition_id: partition })
      if (page === undefined || (page.description === item.content) !== (kind === 'description')) continue
      const nearness = found.get(page.id) ?? {}
      found.set(page.id, { ...nearness, [kind]: Math.max(nearness[kind] ?? -1, score) })
    }
  }
  const documents: NearDocument[] = []
  for (const [id, nearness] of found) {
    const page = yield* pageById({ id, partition_id: partition })
    if (page !== undefined)
      documents.push({ id, name: page.name, description: page.description, aliases: yield* subjectsOfPage(page), nearness })
  }
  return documents
}

function nearest({ segment, vectors }: Index, vector: Float32Array): readonly { ord: number; score: number }[] {
  const cosines = new Float32Array(segment.count + 1)
  vectors?.scan(vector, cosines)
  const best = new Best(mostLooked)
  for (let doc = 0; doc < segment.count; doc += 1)
    if (segment.dead[doc] === 0 && cosines[doc] !== noVector) best.offer(doc, cosines[doc] ?? 0)
  return best.take().map(({ doc, score }) => ({ ord: segment.ords[doc] ?? 0, score }))
}
