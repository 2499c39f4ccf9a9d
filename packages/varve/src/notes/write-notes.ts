import { NotFound } from '../errors/not-found.ts'
import type { NewReceipt } from '../storage/erase/erases.ts'
import { type Draft, prepareDrafts, writeAhead } from '../pages/ahead.ts'
import { readyToDelete } from '../pages/delete-page.ts'
import { withinTransaction, type PageWork, type PreparedWork } from '../pages/page-work.ts'
import type { PagePort } from '../pages/port.ts'
import { type PageRestoring, writeIndexedPage } from '../pages/write-page.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import { Needles } from '../storage/needles.ts'
import { deletePage, template, type ToldPage } from '../storage/erase/page-erasure.ts'
import { findNotes, moveNoted, pageById, pageKinds, type StoredPage, type PageKey } from '../storage/pages/pages.ts'
import { pageRevisionAt } from '../storage/pages/page-revisions.ts'
import { partitionById } from '../storage/partitions.ts'
import { abreast, type Program } from '../storage/program.ts'
import { saveReceipt } from '../storage/erase/receipts.ts'
import { changeSession, sessionRowById, touchSession } from '../storage/log/sessions.ts'
import { heldWork, workKinds } from '../storage/work.ts'
import { noteInPartition } from '../storage/journal/note.ts'
import { alsoTold } from '../storage/journal/told.ts'
import { checkStands } from '../storage/versions.ts'
import { maxNotesChars } from './bounds.ts'
import { type Notes, notesOfPage } from './notes.ts'
import { sessionNamed, standingNotes } from './read-notes.ts'

/** The messages of a session that were read for its notes. */
export interface NotesRead {
  /** The number of the session's partition. */
  readonly home: number
  readonly session: number
  readonly holder: string
  readonly epoch: number
  /** The revision that stood; 0 for none. */
  readonly basis: number
  /** The messages that were read; `to` is the last that the notes cover. */
  readonly from: number
  readonly to: number
  /** The totals of the session's main line at the last message. */
  readonly tokens: number
  readonly calls: number
}

/** Notes as they were written. */
export interface WrittenNotes {
  /** The page with only its headings, for a session without notes. */
  readonly template: string
  readonly content: string
  readonly writer: string
  /** True when the writer was shown the standing page: then its text rests on that too. */
  readonly sawPage: boolean
}

/** Stores notes as storeNotes() does. Slow work is done ahead of the transaction. */
export async function storeNotesAhead(here: PagePort, read: NotesRead, written: WrittenNotes, now: number): Promise<Notes | undefined> {
  const prepare = async (work: PreparedWork): Promise<number> => {
    const row = await here.read(sessionRowById(read.home, read.session))
    const page = row === undefined ? undefined : await here.read(findNotes(row.partition_id, row.id))
    if (row === undefined || (page?.revision ?? 0) !== read.basis) return 1
    const first: readonly Draft[] = page === undefined ? [{ content: written.template, description: '' }] : []
    return prepareDrafts(here, work, {
      place: page ?? placeOf(row.partition_id, row.id),
      old: page,
      drafts: [...first, { content: written.content, description: '' }],
    })
  }
  return (await writeAhead(here, `notes ${read.session}`, { prepare, program: (work) => storeNotes(read, written, now, work), now })).result
}

/**
 * Stores notes and moves their cursor, in one transaction. Gives undefined, and changes nothing, in three cases:
 * another holds the session, something of it was erased or replaced meanwhile, or somebody edited the page.
 */
export function* storeNotes(
  read: NotesRead,
  written: WrittenNotes,
  now: number,
  work: PageWork = withinTransaction,
): Program<Notes | undefined> {
  // The partition first, as a forget takes it: one that held the session's row would wait for the other.
  const [, held, row] = yield* abreast([
    partitionById(read.home),
    heldWork({ kind: workKinds.notes, ref: read.session }, read.holder),
    sessionRowById(read.home, read.session),
  ])
  if (held === undefined || row === undefined || row.epoch !== read.epoch) return undefined
  yield* touchSession(row.partition_id, row.id)
  const place = { partition: row.partition_id, kind: pageKinds.notes, session: row.id, name: '', key: '' }
  let page = yield* findNotes(row.partition_id, row.id)
  if ((page?.revision ?? 0) !== read.basis) return undefined
  page ??= yield* writeIndexedPage(
    place,
    undefined,
    { content: written.template, description: '', maxChars: maxNotesChars, writer: template, spans: [], sawPage: false, basis: 0 },
    now,
    work,
  )
  const stored = yield* writeIndexedPage(
    place,
    page,
    {
      content: written.content,
      description: '',
      maxChars: maxNotesChars,
      writer: written.writer,
      spans: [[row.id, read.from, read.to]],
      sawPage: written.sawPage,
      basis: page.revision,
      readFrom: read.from,
    },
    now,
    work,
  )
  yield* moveNoted({ ...stored, noted_seq: read.to, noted_tokens: read.tokens, noted_calls: read.calls })
  yield* noteInPartition(row.partition_id, { kind: 'noted', session: row.id, at: now })
  return yield* again(stored, work)
}

/** Replaces the content of a session's notes by hand. Slow work is done ahead of the transaction. */
export async function editNotesAhead(
  here: PagePort,
  partition: PartitionId,
  session: SessionName,
  change: { content: string; revision: number | undefined },
  writer: string,
  now: number,
): Promise<Notes> {
  const row = await here.read(sessionNamed(partition, session))
  const prepare = async (work: PreparedWork): Promise<number> => {
    const old = await here.read(findNotes(row.partition_id, row.id))
    if (change.content.length > maxNotesChars) return 1
    return prepareDrafts(here, work, {
      place: old ?? placeOf(row.partition_id, row.id),
      old,
      drafts: [{ content: change.content, description: '' }],
    })
  }
  return (
    await writeAhead(here, laneOf(partition, session), {
      prepare,
      program: (work) => alsoTold(partition, 'notes', replaceNotes(partition, session, change, writer, now, work), now),
      now,
    })
  ).result
}

/** Replaces the content of a session's notes in one transaction. */
export function* replaceNotes(
  partition: PartitionId,
  session: SessionName,
  { content, revision }: { content: string; revision: number | undefined },
  writer: string,
  now: number,
  work: PageWork = withinTransaction,
): Program<Notes> {
  const row = yield* sessionNamed(partition, session)
  const old = yield* findNotes(row.partition_id, row.id)
  const stored = yield* writeIndexedPage(
    { partition: row.partition_id, kind: pageKinds.notes, session: row.id, name: '', key: '', called: calledNotes(session) },
    old,
    { content, description: '', maxChars: maxNotesChars, writer, spans: [], sawPage: false, basis: revision },
    now,
    work,
  )
  return yield* notesOfPage(stored, work)
}

/** Gives notes the page of a revision again, which makes a new one. Slow work is done ahead of the transaction. */
export async function restoreNotesAhead(
  here: PagePort,
  partition: PartitionId,
  session: SessionName,
  { revision, expected }: PageRestoring,
  writer: string,
  now: number,
): Promise<Notes> {
  const prepare = async (work: PreparedWork): Promise<number> => {
    const page = await here.read(standingNotes(partition, session))
    const old = page === undefined ? undefined : await here.read(pageRevisionAt(page, revision))
    if (page === undefined || old === undefined || old.content === null) return 1
    return prepareDrafts(here, work, { place: page, old: page, drafts: [{ content: old.content, description: '', authors: old.authors }] })
  }
  return (
    await writeAhead(here, laneOf(partition, session), {
      prepare,
      program: (work) => alsoTold(partition, 'notes', restoreNotes(partition, session, { revision, expected }, writer, now, work), now),
      now,
    })
  ).result
}

/**
 * Gives notes the page of a revision again, in one transaction. Their cursor stays: messages that were read since are
 * not read again.
 */
export function* restoreNotes(
  partition: PartitionId,
  session: SessionName,
  { revision, expected }: PageRestoring,
  writer: string,
  now: number,
  work: PageWork = withinTransaction,
): Program<Notes> {
  const page = yield* standingNotes(partition, session)
  if (page === undefined) throw new NotFound({ kind: 'notes', id: session })
  const old = yield* pageRevisionAt(page, revision)
  if (old === undefined || old.content === null) throw new NotFound({ kind: 'revision of the notes', id: String(revision) })
  const stored = yield* writeIndexedPage(
    { partition: page.partition_id, kind: pageKinds.notes, session: page.session_id, name: '', key: '', called: calledNotes(session) },
    page,
    { content: old.content, description: '', maxChars: maxNotesChars, writer, spans: [], sawPage: false, basis: expected, restored: old },
    now,
    work,
  )
  return yield* notesOfPage(stored, work)
}

/** Notes to delete, and the revision that the deletion was decided on; undefined for any. */
export interface NotesToDelete {
  readonly session: SessionName
  readonly expected?: number | undefined
}

/** Erases the notes of a session as deleteNotes() does. Their passages go first, so that no transaction takes them all. */
export async function deleteNotesAhead(
  here: PagePort,
  partition: PartitionId,
  { session, expected }: NotesToDelete,
  receiptId: NewReceipt,
  now: number,
): Promise<Erasure> {
  const page = await here.read(standingNotes(partition, session))
  if (page !== undefined) checkStands(calledNotes(session), expected, page.revision)
  const needles = new Needles()
  const told = page === undefined ? undefined : await readyToDelete(here, page, needles)
  return here.write(() => deleteNotes(partition, { session, expected }, receiptId, now, needles, told))
}

/**
 * Erases the notes of a session with all of their revisions. Switches the layer off for the session: else they would be
 * written anew from the same messages.
 */
export function* deleteNotes(
  partition: PartitionId,
  { session, expected }: NotesToDelete,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
  told?: ToldPage,
): Program<Erasure> {
  const page = yield* standingNotes(partition, session)
  if (page === undefined) throw new NotFound({ kind: 'notes', id: session })
  checkStands(calledNotes(session), expected, page.revision)
  yield* deletePage(page, needles, told)
  yield* changeSession(partition, session, { layers: { notes: false } }, now)
  return { receipt: yield* saveReceipt(receiptId, { notes: 1 }, 'pending', now), needles: needles.all }
}

/** The notes of a session, as an error calls them. */
function calledNotes(session: string): string {
  return `notes of ${session}`
}

function* again(key: PageKey, work: PageWork): Program<Notes | undefined> {
  const page: StoredPage | undefined = yield* pageById(key)
  return page === undefined ? undefined : yield* notesOfPage(page, work)
}

function placeOf(partition: number, session: number) {
  return { kind: pageKinds.notes, name: '', session_id: session, partition_id: partition }
}

function laneOf(partition: PartitionId, session: SessionName): string {
  return JSON.stringify([partition, session, 'notes'])
}
