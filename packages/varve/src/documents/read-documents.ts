import { NotFound } from '../errors/not-found.ts'
import { lineageOfPage } from '../pages/lineage.ts'
import { type PageRevision, revisionsOf } from '../pages/revision.ts'
import { type PartitionId, partitionId } from '../scope/partition.ts'
import { findDocument, pageKinds, pageRevisionAt, pagesOf, type StoredPage } from '../storage/pages/pages.ts'
import type { Listed, ListRequest } from '../storage/listed.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { type Document, type DocumentEntry, entryOf } from './document.ts'
import { nameKey } from './names.ts'

/** The partition's own documents, then those that its project shares; of each the last changed first. */
export function* listDocuments(partition: PartitionId, limit: number): Program<readonly DocumentEntry[]> {
  const found: DocumentEntry[] = []
  for (const { id, isShared } of yield* shelvesOf(partition)) {
    found.push(...(yield* pagesOf(id, pageKinds.document, limit, (row) => entryOf(row, isShared))))
  }
  return found.slice(0, limit)
}

/** The partition's own document, or else its project's, as it stands or as it stood. Undefined when there is none. */
export function* readDocument(partition: PartitionId, name: string, revision: number | undefined): Program<Document | undefined> {
  const found = yield* find(partition, name)
  if (found === undefined) return undefined
  const { row, isShared } = found
  const stands = { ...entryOf(row, isShared), content: row.content, lineage: isShared ? [] : yield* lineageOfPage(row) }
  if (revision === undefined || revision === row.revision) return stands
  const old = yield* pageRevisionAt(row.id, revision)
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

/** What the document said that `readDocument` gives, the newest first. NotFound when there is none. */
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

/** Where a partition's handle reads, in order. */
function* shelvesOf(partition: PartitionId): Program<readonly { id: number; isShared: boolean }[]> {
  const owner = yield* findPartition(partition)
  if (partition.owner.kind === 'shared') return owner === undefined ? [] : [{ id: owner.id, isShared: true }]
  const shared = yield* findPartition(partitionId(partition.project, { kind: 'shared' }))
  return [
    ...(owner === undefined ? [] : [{ id: owner.id, isShared: false }]),
    ...(shared === undefined ? [] : [{ id: shared.id, isShared: true }]),
  ]
}
