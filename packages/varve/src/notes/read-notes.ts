import { NotFound } from '../errors/not-found.ts'
import { type PageRevision, revisionsOf } from '../pages/revision.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { grownSessions, notesOf } from '../storage/notes-work.ts'
import { findNotes, pageKinds, pageRevisionAt, pagesOf, type StoredPage } from '../storage/pages.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { SessionTable } from '../storage/schema.ts'
import { findSessionRow } from '../storage/sessions.ts'
import { type NotesCounters, type NotesDue, notesDue } from './due.ts'
import { entryOf, type Notes, type NotesEntry, notesOfPage } from './notes.ts'
import { notesSettings } from './settings.ts'

/** Sessions that are looked at for one list of those that are due. */
const looked = 1_000

/** A session whose notes are due. */
export interface DueNotes {
  readonly session: number
  readonly partition: number
}

/** The notes of a session, as they stand or as they stood. Undefined when there are none. */
export function* readNotes(partition: PartitionId, session: SessionName, revision: number | undefined): Program<Notes | undefined> {
  const row = yield* standingNotes(partition, session)
  if (row === undefined) return undefined
  const stands = yield* notesOfPage(row)
  if (revision === undefined || revision === row.revision) return stands
  const old = yield* pageRevisionAt(row.id, revision)
  if (old === undefined || old.content === null) throw new NotFound({ kind: 'revision of the notes', id: String(revision) })
  return { ...stands, revision, content: old.content, chars: old.content.length, writer: old.writer, updatedAt: old.written_at }
}

/** Notes, the last changed first. */
export function* listNotes(partition: PartitionId, limit: number): Program<readonly NotesEntry[]> {
  const owner = yield* findPartition(partition)
  return owner === undefined ? [] : (yield* pagesOf(owner.id, pageKinds.notes, limit)).map(entryOf)
}

/** What the notes said, the newest first. NotFound when there are none. */
export function* notesRevisions(partition: PartitionId, session: SessionName, limit: number): Program<readonly PageRevision[]> {
  const row = yield* standingNotes(partition, session)
  if (row === undefined) throw new NotFound({ kind: 'notes', id: session })
  return yield* revisionsOf(row, limit, false)
}

/** Whether notes of a session are due, and why; by what was counted when its messages came in. NotFound for a session that is not there. */
export function* dueOfSession(partition: PartitionId, session: SessionName, layers: number): Program<NotesDue & { readonly on: boolean }> {
  const row = yield* sessionNamed(partition, session)
  const page = yield* findNotes(row.partition_id, row.id)
  const about = yield* notesOf(row.id, layers)
  return { ...notesDue(countersOf(row, page), notesSettings(about?.settings['notes'])), on: about?.on === true }
}

/** Sessions whose notes are wanted and due, of those in which something was recorded since a time. */
export function* dueNotes(layers: number, at: { now: number; since: number }, limit: number): Program<readonly DueNotes[]> {
  const found = (yield* grownSessions(layers, at, looked)).filter((one) => {
    const { notedTokens, notedCalls } = one
    const counters = {
      mainTokens: one.mainTokens, mainCalls: one.mainCalls, isPause: one.mainPause === 1, notedTokens: notedTokens ?? 0, notedCalls: notedCalls ?? 0, hasNotes: notedTokens !== null && notedTokens > 0,
    }
    const settings: { notes?: unknown } = JSON.parse(one.settings)
    return notesDue(counters, notesSettings(settings.notes)).due
  })
  return found.slice(0, limit).map(({ session, partition }) => ({ session, partition }))
}

export function* sessionNamed(partition: PartitionId, session: SessionName): Program<SessionTable> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) throw new NotFound({ kind: 'session', id: session })
  return row
}

export function* standingNotes(partition: PartitionId, session: SessionName): Program<StoredPage | undefined> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  return row === undefined ? undefined : yield* findNotes(row.partition_id, row.id)
}

function countersOf(row: SessionTable, page: StoredPage | undefined): NotesCounters {
  return {
    mainTokens: row.main_tokens, mainCalls: row.main_calls, isPause: row.main_pause === 1, notedTokens: page?.noted_tokens ?? 0, notedCalls: page?.noted_calls ?? 0,
    hasNotes: page !== undefined && page.noted_tokens > 0,
  }
}
