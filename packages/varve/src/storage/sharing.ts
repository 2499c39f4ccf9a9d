import type { PartitionId, SessionName } from '../scope/partition.ts'
import { withdrawSession, withdrawShared } from './bank-edits.ts'
import { digestsAbove, eraseItems } from './derived.ts'
import type { Erasure } from './erasure.ts'
import { itemKinds, itemsOfSession } from './items.ts'
import { Needles } from './needles.ts'
import { ensureProject, ensureShared, findPartition, findShared } from './partitions.ts'
import { type Program, first, run } from './program.ts'
import { saveReceipt } from './receipts.ts'
import { changeSession, findSessionRow, type Session, type SessionChanges } from './sessions.ts'
import { statement } from './statement.ts'

/** Whether a project shares what its sessions say, and since when the sessions begun that feed it: UTC milliseconds, 0 for all. */
export interface SharingState {
  readonly on: boolean
  readonly since?: number
}

const select = statement<{ project: string }>()((db, p) => db.selectFrom('project').select(['id', 'sharing_since']).where('name', '=', p('project')))

const update = statement<{ id: number; since: number | null }>()((db, p) => db.updateTable('project').set({ sharing_since: p('since') }).where('id', '=', p('id')))

export function* sharingOf(project: string): Program<SharingState> {
  const since = (yield* first(select, { project }))?.sharing_since ?? undefined
  return since === undefined ? { on: false } : { on: true, since }
}

/**
 * Switches a project's shared bank. On: sessions begun from now on feed it, or all with `backfill`; a switch that is on
 * already stays as it is but for a backfill. Off: all that was shared is withdrawn.
 */
export function* setSharing(project: string, on: boolean, backfill: boolean, receiptId: string, now: number): Program<{ sharing: SharingState; erasure: Erasure | undefined }> {
  const id = yield* ensureProject(project, now)
  const before = yield* sharingOf(project)
  if (!on) {
    yield* run(update, { id, since: null })
    const entries = yield* findShared(id)
    const erasure = entries === undefined ? undefined : yield* withdrawShared({ entries, source: undefined, project: id }, receiptId, now)
    return { sharing: { on: false }, erasure }
  }
  const since = backfill ? 0 : (before.since ?? now)
  yield* ensureShared(id, now)
  yield* run(update, { id, since })
  return { sharing: { on: true, since }, erasure: undefined }
}

/** Has a session feed nothing that is shared, and withdraws what it did. */
export function* keepPrivate(partition: PartitionId, name: SessionName, changes: SessionChanges, receiptId: string, now: number): Program<{ session: Session; erasure: Erasure | undefined }> {
  const session = yield* changeSession(partition, name, changes)
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, name)
  const shared = owner === undefined ? undefined : yield* findShared(owner.project_id)
  if (row === undefined || shared === undefined) return { session, erasure: undefined }
  const needles = new Needles()
  yield* withdrawSession(row.id, needles)
  const leaves = (yield* itemsOfSession(row.id)).filter((item) => item.partition_id === shared.id)
  if (leaves.length === 0) return { session, erasure: undefined }
  const items = new Map(leaves.map((item) => [item.ord, item]))
  for (const leaf of leaves) for (const digest of yield* digestsAbove(leaf)) items.set(digest.ord, digest)
  yield* eraseItems([...items.values()], needles)
  const receipt = yield* saveReceipt(receiptId, { bank: [...items.values()].filter(({ kind }) => kind === itemKinds.bank).length }, 'pending', now)
  return { session, erasure: { receipt, needles: needles.all } }
}
