import { shown } from '../errors/shown.ts'
import type { NewReceipt } from '../storage/erase/erases.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { NotFound } from '../errors/not-found.ts'
import { prepareDrafts, writeAhead } from '../pages/ahead.ts'
import type { Edited } from '../pages/edits.ts'
import { readyToDelete } from '../pages/delete-page.ts'
import type { PageEdit } from '../pages/page-edit.ts'
import { withinTransaction, type PageWork, type PreparedWork } from '../pages/page-work.ts'
import type { PagePort } from '../pages/port.ts'
import { lineageOfPage } from '../pages/lineage.ts'
import { inTurns } from '../pages/turns.ts'
import { type PageRestoring, writeIndexedPage } from '../pages/write-page.ts'
import { agentsSettings } from '../projects/agents.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import { Needles } from '../storage/needles.ts'
import { deletePage, type ToldPage } from '../storage/erase/page-erasure.ts'
import { countPages, findDocument, pageKinds, type StoredPage } from '../storage/pages/pages.ts'
import { pageRevisionAt } from '../storage/pages/page-revisions.ts'
import type { StoredSpan } from '../storage/pages/authors.ts'
import { ensurePartition, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { saveReceipt } from '../storage/erase/receipts.ts'
import { findSessionRow } from '../storage/log/sessions.ts'
import { alsoTold } from '../storage/journal/told.ts'
import { checkStands } from '../storage/versions.ts'
import { type Document, documentChars, documentEntryOf, maxDocuments } from './document.ts'
import { nameKey } from './names.ts'

/** A change of a document: its whole content, or edits of the standing one. */
export interface DocumentChange {
  readonly content?: string
  readonly edits?: readonly PageEdit[]
  readonly description: string | undefined
  readonly maxChars: number | undefined
  /** The revision that the change was made of; 0 for a new document. Undefined: any revision. */
  readonly revision: number | undefined
}

/** A document to delete, and the revision that the deletion was decided on; undefined for any. */
export interface DocumentToDelete {
  readonly name: string
  readonly expected?: number | undefined
}

/** The writer of a change. A tool writes during a session: its text rests on that session's messages so far. */
export interface DocumentWriter {
  readonly writer: string
  readonly isTool: boolean
  readonly during: SessionName | undefined
}

/**
 * Writes a document by hand or by a tool; makes it when there is none. Makes all edits or none. Slow work is done ahead
 * of the transaction.
 */
export async function editDocumentAhead(
  here: PagePort,
  partition: PartitionId,
  name: string,
  change: DocumentChange,
  by: DocumentWriter,
  now: number,
): Promise<Document> {
  const prepare = async (work: PreparedWork): Promise<number> => {
    const { owner, page: old } = await here.read(found(partition, name))
    const edited =
      change.content === undefined ? await inTurns(work.edit(old?.content ?? '', change.edits ?? [])) : { content: change.content }
    const isRefused =
      !('content' in edited) ||
      (change.revision ?? old?.revision ?? 0) !== (old?.revision ?? 0) ||
      edited.content.length > (change.maxChars ?? old?.max_chars ?? documentChars.usual)
    return isRefused
      ? 1
      : prepareDrafts(here, work, {
          place: old ?? placeOf(owner, name),
          old,
          drafts: [{ content: edited.content, description: change.description }],
        })
  }
  return (
    await writeAhead(here, laneOf(partition, name), {
      prepare,
      program: (work) => alsoTold(partition, 'documents', editDocument(partition, name, change, by, now, work), now),
      now,
    })
  ).result
}

/** Writes a document in one transaction. */
export function* editDocument(
  partition: PartitionId,
  name: string,
  change: DocumentChange,
  by: DocumentWriter,
  now: number,
  work: PageWork = withinTransaction,
): Program<Document> {
  const { id } = yield* ensurePartition(partition, now)
  const key = nameKey(name)
  const old = yield* findDocument(id, key)
  if (old === undefined) yield* checkDocuments(partition, id, by)
  const page = yield* writeIndexedPage(
    { partition: id, kind: pageKinds.document, session: 0, name, key },
    old,
    {
      content: change.content ?? contentOf(work.edited(old?.content ?? '', change.edits ?? []), change.edits ?? []),
      ...(change.description === undefined ? {} : { description: change.description }),
      maxChars: change.maxChars ?? old?.max_chars ?? documentChars.usual,
      writer: by.writer,
      spans: yield* spansSoFar(id, by.during),
      sawPage: by.isTool,
      basis: change.revision,
    },
    now,
    work,
  )
  return yield* documentOf(page, partition, work)
}

/** Refuses a further document at the bound of all documents, and an agent's at the bound for agents. */
function* checkDocuments(partition: PartitionId, owner: number, { isTool }: DocumentWriter): Program<void> {
  const count = yield* countPages(owner, pageKinds.document)
  const of = partition.owner.kind === 'shared' ? 'the project' : 'the user'
  if (count >= maxDocuments) throw new LimitExceeded({ what: of, unit: 'documents', count: count + 1, most: maxDocuments })
  if (!isTool) return
  const { documents: most } = yield* agentsSettings(partition.project)
  const what = `${of}, as far as agents add to them (the setting agents.documents),`
  if (count >= most) throw new LimitExceeded({ what, unit: 'documents', count: count + 1, most })
}

/** Gives a document the content of a revision again, which makes a new one. Slow work is done ahead of the transaction. */
export async function restoreDocumentAhead(
  here: PagePort,
  partition: PartitionId,
  name: string,
  { revision, expected }: PageRestoring,
  writer: string,
  now: number,
): Promise<Document> {
  const prepare = async (work: PreparedWork): Promise<number> => {
    const { page } = await here.read(found(partition, name))
    const old = page === undefined ? undefined : await here.read(pageRevisionAt(page, revision))
    if (page === undefined || old === undefined || old.content === null) return 1
    return prepareDrafts(here, work, {
      place: page,
      old: page,
      drafts: [{ content: old.content, description: old.described_by === 0 ? undefined : old.description, authors: old.authors }],
    })
  }
  return (
    await writeAhead(here, laneOf(partition, name), {
      prepare,
      program: (work) => alsoTold(partition, 'documents', restoreDocument(partition, name, { revision, expected }, writer, now, work), now),
      now,
    })
  ).result
}

/** Gives a document the content of a revision again, in one transaction. */
export function* restoreDocument(
  partition: PartitionId,
  name: string,
  { revision, expected }: PageRestoring,
  writer: string,
  now: number,
  work: PageWork = withinTransaction,
): Program<Document> {
  const page = yield* standing(partition, name)
  const old = yield* pageRevisionAt(page, revision)
  if (old === undefined || old.content === null) throw new NotFound({ kind: 'document revision', id: String(revision) })
  const { partition_id: owner, name: called, name_key: key } = page
  const written = yield* writeIndexedPage(
    { partition: owner, kind: pageKinds.document, session: 0, name: called, key },
    page,
    {
      content: old.content,
      ...(old.described_by === 0 ? {} : { description: old.description }),
      maxChars: page.max_chars,
      writer,
      spans: [],
      sawPage: false,
      basis: expected,
      restored: old,
    },
    now,
    work,
  )
  return yield* documentOf(written, partition, work)
}

/** Erases a document with all of its revisions. Its passages go first, so that no transaction takes them all. */
export async function deleteDocumentAhead(
  here: PagePort,
  partition: PartitionId,
  { name, expected }: DocumentToDelete,
  receiptId: NewReceipt,
  now: number,
): Promise<Erasure> {
  const { page } = await here.read(found(partition, name))
  if (page !== undefined) checkStands(page.name, expected, page.revision)
  const needles = new Needles()
  const told = page === undefined ? undefined : await readyToDelete(here, page, needles)
  return here.write(() => deleteDocument(partition, { name, expected }, receiptId, now, needles, told))
}

/** Erases a document with all of its revisions. Facts that were read for it, worked in or not, are not worked in again. */
export function* deleteDocument(
  partition: PartitionId,
  { name, expected }: DocumentToDelete,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
  told?: ToldPage,
): Program<Erasure> {
  const page = yield* standing(partition, name)
  checkStands(page.name, expected, page.revision)
  yield* deletePage(page, needles, told)
  return { receipt: yield* saveReceipt(receiptId, { document: 1 }, 'pending', now), needles: needles.all }
}

function contentOf(result: Edited, edits: readonly PageEdit[]): string {
  if ('content' in result) return result.content
  const [first] = result.refused
  throw new InvalidOption({
    option: `edits[${first?.place ?? 0}]`,
    received: shown(edits[first?.place ?? 0]),
    expected: `an edit that can be made; nothing was changed: ${result.refused.map(({ reason }) => reason).join('; ')}`,
  })
}

function placeOf(owner: number | undefined, name: string) {
  return { kind: pageKinds.document, name, session_id: 0, partition_id: owner }
}

function laneOf(partition: PartitionId, name: string): string {
  return JSON.stringify([partition, nameKey(name)])
}

/** Finds a partition's number and its document; each undefined when it is not there. */
function* found(
  partition: PartitionId,
  name: string,
): Program<{ readonly owner: number | undefined; readonly page: StoredPage | undefined }> {
  const owner = yield* findPartition(partition)
  return { owner: owner?.id, page: owner === undefined ? undefined : yield* findDocument(owner.id, nameKey(name)) }
}

function* documentOf(row: StoredPage, { owner }: PartitionId, work: PageWork): Program<Document> {
  const isShared = owner.kind === 'shared'
  return { ...documentEntryOf(row, isShared), content: row.content, lineage: isShared ? [] : yield* lineageOfPage(row, work) }
}

/** Gives the messages of a tool's session so far. */
function* spansSoFar(partition: number, during: SessionName | undefined): Program<readonly StoredSpan[]> {
  const row = during === undefined ? undefined : yield* findSessionRow(partition, during)
  return row === undefined || row.messages === 0 ? [] : [[row.id, 1, row.seq]]
}

function* standing(partition: PartitionId, name: string): Program<StoredPage> {
  const { page } = yield* found(partition, name)
  if (page === undefined) throw new NotFound({ kind: 'document', id: name })
  return page
}
