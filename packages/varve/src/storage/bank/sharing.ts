import { sql } from 'kysely'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { withdrawSession, withdrawShared } from './bank-edits.ts'
import { digestsAbove } from '../erase/derived.ts'
import { eraseItems } from '../derived/item-erasure.ts'
import type { Erasure } from '../erase/erasure.ts'
import { itemKinds, itemsOfSession } from '../derived/items.ts'
import { Needles } from '../needles.ts'
import { layerBits } from '../layers.ts'
import { ensureProject, ensureShared, findPartition, findShared, type PartitionRow, setShare } from '../partitions.ts'
import { type Program, all, first, run } from '../program.ts'
import { saveReceipt } from '../erase/receipts.ts'
import type { ItemTable } from '../schema.ts'
import { findSessionRow, type Session, sharing } from '../log/sessions.ts'
import { statement } from '../statement.ts'

/** Whether a project shares what its sessions say, and since when the sessions begun that feed it: UTC milliseconds, 0 for all. */
export interface SharingState {
  readonly on: boolean
  readonly since?: number
}

const select = statement<{ project: string }>()((db, p) => db.selectFrom('project').select(['id', 'sharing_since']).where('name', '=', p('project')))

const update = statement<{ id: number; since: number | null }>()((db, p) => db.updateTable('project').set({ sharing_since: p('since') }).where('id', '=', p('id')))

// Parts go with a forget or a rebuild, entries and references stand until the session is read again.
const unsaidThatFed = statement<{ partition: number; shared: number }>()((db, p) =>
  db.selectFrom('session').select('id').where('partition_id', '=', p('partition')).where('share', '=', sharing.unsaid).where((e) => e.or([
    e('id', 'in', db.selectFrom('part').select('session_id').where('partition_id', '=', p('partition')).where('layer', '=', layerBits.shared)),
    e.exists(e.selectFrom('item').select('item.ord').whereRef('item.session_id', '=', 'session.id').where('item.session_id', '>', sql<number>`0`).where('item.partition_id', '=', p('shared'))),
  ])))

export function* sharingOf(project: string): Program<SharingState> {
  const since = (yield* first(select, { project }))?.sharing_since ?? undefined
  return since === undefined ? { on: false } : { on: true, since }
}

/**
 * Switches a project's shared bank. On: sessions begun from now on feed it, or all with `backfill`; a switch that is on
 * already stays as it is but for a backfill. Off: all that was shared is withdrawn; of a project that is not there nothing was.
 */
export function* setSharing(project: string, on: boolean, backfill: boolean, receiptId: string, now: number): Program<{ sharing: SharingState; erasure: Erasure | undefined }> {
  if (!on) return { sharing: { on: false }, erasure: yield* endSharing(project, receiptId, now) }
  const id = yield* ensureProject(project, now)
  const before = yield* sharingOf(project)
  const since = backfill ? 0 : (before.since ?? now)
  yield* ensureShared(id, now)
  yield* run(update, { id, since })
  return { sharing: { on: true, since }, erasure: undefined }
}

function* endSharing(project: string, receiptId: string, now: number): Program<Erasure | undefined> {
  const id = (yield* first(select, { project }))?.id
  if (id === undefined) return undefined
  yield* run(update, { id, since: null })
  const entries = yield* findShared(id)
  return entries === undefined ? undefined : yield* withdrawShared({ entries, source: undefined, project: id }, receiptId, now)
}

/** Withdraws what sessions of a partition fed to their project: their entries, all digests that may tell of them, and the parts that they were made from. */
function* withdraw(owner: PartitionRow, sessions: readonly number[], receiptId: string, now: number): Program<Erasure | undefined> {
  const shared = yield* findShared(owner.project_id)
  if (shared === undefined) return undefined
  const needles = new Needles()
  const items = new Map<number, ItemTable>()
  for (const session of sessions) {
    yield* withdrawSession(session, needles)
    for (const item of yield* itemsOfSession(session)) {
      if (item.partition_id !== shared.id) continue
      items.set(item.ord, item)
      for (const digest of yield* digestsAbove([item])) items.set(digest.ord, digest)
    }
  }
  if (items.size === 0 && needles.all?.length === 0) return undefined
  yield* eraseItems([...items.values()], needles)
  const bank = [...items.values()].filter(({ kind }) => kind === itemKinds.bank).length
  return { receipt: yield* saveReceipt(receiptId, { bank }, 'pending', now), needles: needles.all }
}

/** What became of a change by which something may not be shared any more. */
export interface KeptPrivate<Result> {
  readonly result: Result
  readonly erasure: Erasure | undefined
}

/** Changes a session so that it feeds nothing that is shared, and withdraws what it did. */
export function* keepPrivate(partition: PartitionId, name: SessionName, change: () => Program<Session>, receiptId: string, now: number): Program<KeptPrivate<Session>> {
  const result = yield* change()
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, name)
  return { result, erasure: owner === undefined || row === undefined ? undefined : yield* withdraw(owner, [row.id], receiptId, now) }
}

/** Sets whether a user's sessions of which nothing is said are shared; where they are not any more, what they fed is withdrawn. */
export function* shareByDefault(partition: PartitionId, share: boolean, receiptId: string, now: number): Program<KeptPrivate<boolean>> {
  yield* setShare(partition, share, now)
  const owner = share ? undefined : yield* findPartition(partition)
  const shared = owner === undefined ? undefined : yield* findShared(owner.project_id)
  if (owner === undefined || shared === undefined) return { result: share, erasure: undefined }
  const unsaid = yield* all(unsaidThatFed, { partition: owner.id, shared: shared.id })
  return { result: share, erasure: yield* withdraw(owner, unsaid.map(({ id }) => id), receiptId, now) }
}

/** A change with what was withdrawn for it, in one record: with a receipt, and the words to search the files for, when something was. */
export function* withWithdrawn<Result extends { readonly erasure: Erasure | undefined }>(change: Program<Result>): Program<Omit<Result, 'erasure'> & Partial<Erasure>> {
  const { erasure, ...rest } = yield* change
  return { ...rest, ...erasure }
}
