import { NotFound } from '../errors/not-found.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { type DuePlace, duePlace, type DueScope } from '../storage/due-place.ts'
import { findPartition } from '../storage/partitions.ts'
import { countPendingIn, partitionsWithPendingFacts, pendingPageFacts, type PendingPartition } from '../storage/pages/page-facts.ts'
import type { Program } from '../storage/program.ts'
import {
  type DueBounds,
  type DueKind,
  type DueSession,
  dueSessions,
  dueSessionsOf,
  type NotDue,
  sessionsNotDue,
  wantedOfSession,
} from '../storage/derived/reading.ts'
import { findSessionRow } from '../storage/log/sessions.ts'
import { findWork, workKinds } from '../storage/work.ts'

/** Partitions in one list of due sessions, and sessions of each. A list is short, so that newer work has its turn. */
const partitionsPerList = 16
const sessionsPerPartition = 2
const sessionsPerList = 32

/** Finds sessions that are due, within a scope if one is given. */
export function* dueWithin(kind: DueKind, bounds: DueBounds, only: DueScope | undefined): Program<readonly DueSession[]> {
  if (only === undefined) return yield* dueSessions(kind, bounds, partitionsPerList, sessionsPerPartition)
  const place = yield* duePlace(only)
  return place === undefined ? [] : yield* dueAt(kind, bounds, place)
}

/** Finds sessions that are due in a place. */
export function* dueAt(kind: DueKind, bounds: DueBounds, { partition, session }: DuePlace): Program<readonly DueSession[]> {
  if (session === 'none') return []
  if (session === 'all') return yield* dueSessionsOf(kind, bounds, partition, sessionsPerList)
  return (yield* dueSessionsOf(kind, bounds, partition, Number.MAX_SAFE_INTEGER)).filter(({ id }) => id === session)
}

/** Counts sessions that are not due yet, within a scope if one is given. */
export function* notDueWithin(bounds: DueBounds, only: DueScope | undefined): Program<NotDue> {
  if (only === undefined) return yield* sessionsNotDue(bounds, 0, 0)
  const place = yield* duePlace(only)
  return place === undefined ? noneWaits : yield* notDueAt(bounds, place)
}

const noneWaits: NotDue = { sessions: 0, newest: undefined }

/** Counts sessions in a place that are not due yet. */
export function* notDueAt(bounds: DueBounds, { partition, session }: DuePlace): Program<NotDue> {
  return session === 'none' ? noneWaits : yield* sessionsNotDue(bounds, partition, session === 'all' ? 0 : session)
}

/** Reads a session, due or not, with the layers that are wanted of it. NotFound for a session that is not there. */
export function* dueSession(partition: PartitionId, session: SessionName, layers: number): Program<DueSession> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) throw new NotFound({ kind: 'session', id: session })
  const wanted = (yield* wantedOfSession(row.partition_id, row.id, layers))?.wanted ?? 0
  return { id: row.id, partition: row.partition_id, wanted }
}

/** The most partitions in one list of those with waiting facts. */
const partitionsWaiting = 16

/**
 * Finds partitions with facts that wait for documents, within a scope if one is given. Without `hasEditor`, facts that the
 * host's own model may work in are left to it for a day.
 */
export function* dueDocuments(now: number, only: DueScope | undefined, hasEditor: boolean): Program<readonly PendingPartition[]> {
  if (only === undefined) return yield* partitionsWithPendingFacts(now, partitionsWaiting, hasEditor)
  const owner = yield* findPartition(only.partition)
  return owner === undefined ? [] : yield* dueDocumentsAt(now, owner.id, hasEditor)
}

/** Finds a partition if it has facts that wait for documents. */
export function* dueDocumentsAt(now: number, partition: number, hasEditor: boolean): Program<readonly PendingPartition[]> {
  return yield* partitionsWithPendingFacts(now, 1, hasEditor, partition)
}

/** Tells whether facts wait for a partition's documents while another process works on them. */
export function* areDocumentsHeld(now: number, { partition }: DueScope): Program<boolean> {
  const owner = yield* findPartition(partition)
  const work = owner === undefined ? undefined : yield* findWork({ kind: workKinds.documents, ref: owner.id })
  return owner !== undefined && work !== undefined && work.lease_until > now && (yield* pendingPageFacts(owner.id, 1)).length > 0
}

/** Counts the facts that wait for a partition's documents. */
export function* factsWaiting(partition: PartitionId): Program<number> {
  const owner = yield* findPartition(partition)
  return owner === undefined ? 0 : yield* countPendingIn(owner.id)
}
