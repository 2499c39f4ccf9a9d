import { EmptySession } from '../errors/empty-session.ts'
import { NotFound } from '../errors/not-found.ts'
import { type PageRevision, revisionsOf } from '../pages/revision.ts'
import { type PartitionId, partitionId, projectName, type SessionName, sessionName } from '../scope/partition.ts'
import { type CountedSession, type GrownAt, grownSessions, notesOf } from '../storage/pages/notes-work.ts'
import { type Listed, type ListRequest, timedPage, timedPlace } from '../storage/listed.ts'
import { findNotes, pageKinds, pagePlaces, pagesAt, type StoredPage } from '../storage/pages/pages.ts'
import { pageRevisionAt } from '../storage/pages/page-revisions.ts'
import { type DuePlace, duePlace, type DueScope } from '../storage/due-place.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { SessionTable } from '../storage/schema.ts'
import { findSessionRow, sessionRowById } from '../storage/log/sessions.ts'
import { type NotesCounters, type NotesDue, notesDue } from './due.ts'
import { notesEntryOf, type Notes, type NotesEntry, notesOfPage } from './notes.ts'
import { type NotesSettings, storedNotesSettings } from './settings.ts'

/** A session whose notes are due. */
export interface DueNotes {
  readonly session: number
  readonly partition: number
}

/** Reads the notes of a session: the standing page, or that of a revision. Undefined when there are none. */
export function* readNotes(partition: PartitionId, session: SessionName, revision: number | undefined): Program<Notes | undefined> {
  const row = yield* standingNotes(partition, session)
  if (row === undefined) return undefined
  const stands = yield* notesOfPage(row)
  if (revision === undefined || revision === row.revision) return stands
  const old = yield* pageRevisionAt(row, revision)
  if (old === undefined || old.content === null) throw new NotFound({ kind: 'revision of the notes', id: String(revision) })
  return { ...stands, revision, content: old.content, chars: old.content.length, writer: old.writer, updatedAt: old.written_at }
}

/** Lists notes, the last changed first. */
export function* listNotes(partition: PartitionId, request: ListRequest): Program<Listed<NotesEntry>> {
  const [after, { limit }] = [timedPlace('notes', request), request]
  const owner = yield* findPartition(partition)
  if (owner === undefined) return { items: [] }
  const places = yield* pagePlaces(owner.id, pageKinds.notes, after, limit + 1)
  return yield* timedPage(
    'notes',
    places,
    limit,
    (ids) => pagesAt(owner.id, ids),
    (page) => page.id,
    notesEntryOf,
  )
}

/** Lists the pages that the notes had, the newest first. NotFound when there are none. */
export function* notesRevisions(partition: PartitionId, session: SessionName, request: ListRequest): Program<Listed<PageRevision>> {
  const row = yield* standingNotes(partition, session)
  if (row === undefined) throw new NotFound({ kind: 'notes', id: session })
  return yield* revisionsOf(row, request, false)
}

/**
 * Tells whether notes of a session are due, and why, by the counts of its stored messages. NotFound for a session that
 * is not there.
 */
export function* dueOfSession(partition: PartitionId, session: SessionName, layers: number): Program<NotesDue & { readonly on: boolean }> {
  const row = yield* sessionNamed(partition, session)
  const page = yield* findNotes(row.partition_id, row.id)
  const about = yield* notesOf(row.partition_id, row.id, layers)
  return { ...notesDue(countersOf(row, page), storedNotesSettings(about?.settings['notes'])), on: about?.on === true }
}

/**
 * Finds sessions whose notes are wanted and due, among those in which something was recorded since a time. It passes
 * none over, however many other sessions there are.
 */
export function* dueNotes(layers: number, at: GrownAt, limit: number, only?: DueScope): Program<readonly DueNotes[]> {
  if (only === undefined) return yield* dueNotesAt(layers, at, limit, { partition: 0, session: 'all' })
  const place = yield* duePlace(only)
  return place === undefined ? [] : yield* dueNotesAt(layers, at, limit, place)
}

/** Finds the same in a place; a partition of 0 stands for all. */
export function* dueNotesAt(
  layers: number,
  at: GrownAt,
  limit: number,
  { partition, session: only }: DuePlace,
): Program<readonly DueNotes[]> {
  if (only === 'none') return []
  const found: DueNotes[] = []
  const settings = new Map<string, NotesSettings>()
  yield* grownSessions(layers, at, partition, (some) => {
    const due = some.filter((one) => (only === 'all' || one.session === only) && isDue(one, settings))
    found.push(...due.map(({ session, partition }) => ({ session, partition })))
    return found.length >= limit
  })
  return found.slice(0, limit)
}

function isDue(
  { mainTokens, mainCalls, mainPause, notedTokens, notedCalls, settings }: CountedSession,
  known: Map<string, NotesSettings>,
): boolean {
  const counters = {
    mainTokens,
    mainCalls,
    isPause: mainPause === 1,
    notedTokens: notedTokens ?? 0,
    notedCalls: notedCalls ?? 0,
    hasNotes: notedTokens !== null && notedTokens > 0,
  }
  const given = known.get(settings) ?? settingsIn(settings)
  known.set(settings, given)
  return notesDue(counters, given).due
}

function settingsIn(project: string): NotesSettings {
  const { notes }: { notes?: unknown } = JSON.parse(project)
  return storedNotesSettings(notes)
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
    mainTokens: row.main_tokens,
    mainCalls: row.main_calls,
    isPause: row.main_pause === 1,
    notedTokens: page?.noted_tokens ?? 0,
    notedCalls: page?.noted_calls ?? 0,
    hasNotes: page !== undefined && page.noted_tokens > 0,
  }
}

/**
 * Gives a session's number and its partition's, for an update now. NotFound for a session that is not there;
 * EmptySession for one whose main line is empty.
 */
export function* sessionToNote(partition: PartitionId, session: SessionName): Program<DueNotes> {
  const row = yield* sessionNamed(partition, session)
  if (row.main_tokens === 0 || row.messages === 0) throw new EmptySession({ session })
  return { session: row.id, partition: row.partition_id }
}

/** Finds the owner of a session's notes, by the names that callers use. Undefined when the session is gone. */
export function* ownerOfNotes({
  partition: home,
  session,
}: DueNotes): Program<{ readonly partition: PartitionId; readonly session: SessionName } | undefined> {
  const row = yield* sessionRowById(home, session)
  const about = row === undefined ? undefined : yield* notesOf(home, session, 0)
  if (row === undefined || about === undefined) return undefined
  return {
    partition: partitionId(projectName(about.name), about.user === undefined ? { kind: 'anonymous' } : { kind: 'user', name: about.user }),
    session: sessionName(row.external_id),
  }
}

/** Reads the notes for a compaction: the page, and the last message that it covers. */
export function* notesForCompaction(
  partition: PartitionId,
  session: SessionName,
): Program<{ text: string; coveredSeq: number; revision: number; at: number } | undefined> {
  const row = yield* standingNotes(partition, session)
  return row === undefined ? undefined : { text: row.content, coveredSeq: row.noted_seq, revision: row.revision, at: row.updated_at }
}
