import { NotFound } from '../errors/not-found.ts'
import { lineageOfPage } from '../pages/lineage.ts'
import { type PageRevision, revisionsOf } from '../pages/revision.ts'
import { type PartitionId, partitionId } from '../scope/partition.ts'
import { findDocument, pageKinds, pagePlaces, pagesAt, type StoredPage } from '../storage/pages/pages.ts'
import { pageRevisionAt } from '../storage/pages/page-revisions.ts'
import {
  cursorTo,
  type Listed,
  type ListRequest,
  newest,
  pageOf,
  placeOf,
  type Sized,
  type TimedPlace,
  rowsOfEach,
} from '../storage/listed.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { type Document, type DocumentEntry, documentEntryOf } from './document.ts'
import { nameKey } from './names.ts'

/** Lists the partition's own documents, then those of its project; of each the last changed first. */
export function* listDocuments(partition: PartitionId, request: ListRequest): Program<Listed<DocumentEntry>> {
  const [shelf = 0, at = newest.at, key = newest.key] = placeOf('document', request, /([01])\.(-?\d{1,15})\.(\d{1,15})/)?.map(Number) ?? []
  const { limit } = request
  const places: (Sized & TimedPlace & { readonly isShared: boolean; readonly partition: number })[] = []
  for (const { id, isShared } of yield* shelvesOf(partition)) {
    if (Number(isShared) < shelf || places.length > limit) continue
    const after = Number(isShared) === shelf ? { at, key } : newest
    const some = yield* pagePlaces(id, pageKinds.document, after, limit + 1 - places.length)
    places.push(...some.map((place) => ({ ...place, isShared, partition: id })))
  }
  const shared = new Set(places.filter(({ isShared }) => isShared).map((place) => place.key))
  return yield* pageOf(
    { places, limit, cursorOf: (last) => cursorTo('document', Number(last.isShared), last.at, last.key) },
    (ids) => rowsOfEach(places, ids, pagesAt),
    (page) => page.id,
    (page) => documentEntryOf(page, shared.has(page.id)),
  )
}

/**
 * Reads the partition's own document, or else its project's; its standing content, or that of a revision. Undefined
 * when there is none.
 */
export function* readDocument(partition: PartitionId, name: string, revision: number | undefined): Program<Document | undefined> {
  const found = yield* find(partition, name)
  if (found === undefined) return undefined
  const { row, isShared } = found
  const stands = { ...documentEntryOf(row, isShared), content: row.content, lineage: isShared ? [] : yield* lineageOfPage(row) }
  if (revision === undefined || revision === row.revision) return stands
  const old = yield* pageRevisionAt(row, revision)
  if (old === undefined || old.content === null) throw new NotFound({ kind: 'document revision', id: String(revision) })
  return {
    ...stands,
    revision,
    content: old.content,
    description: old.description,
    chars: old.content.length,
    writer: old.writer,
    updatedAt: old.written_at,
  }
}

/** Lists the contents of the document that `readDocument` gives, the newest first. NotFound when there is none. */
export function* documentRevisions(partition: PartitionId, name: string, request: ListRequest): Program<Listed<PageRevision>> {
  const found = yield* find(partition, name)
  if (found === undefined) throw new NotFound({ kind: 'document', id: name })
  return yield* revisionsOf(found.row, request, found.isShared)
}

function* find(partition: PartitionId, name: string): Program<{ row: StoredPage; isShared: boolean } | undefined> {
  const key = nameKey(name)
  for (const { id, isShared } of yield* shelvesOf(partition)) {
    const row = yield* findDocument(id, key)
    if (row !== undefined) return { row, isShared }
  }
  return undefined
}

/** Gives the partitions that a handle reads, in order. */
function* shelvesOf(partition: PartitionId): Program<readonly { id: number; isShared: boolean }[]> {
  const owner = yield* findPartition(partition)
  if (partition.owner.kind === 'shared') return owner === undefined ? [] : [{ id: owner.id, isShared: true }]
  const shared = yield* findPartition(partitionId(partition.project, { kind: 'shared' }))
  return [
    ...(owner === undefined ? [] : [{ id: owner.id, isShared: false }]),
    ...(shared === undefined ? [] : [{ id: shared.id, isShared: true }]),
  ]
}
