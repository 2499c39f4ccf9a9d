import { sql } from 'kysely'
import { type NewReceipt, receiptIdOf } from '../erase/erases.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { withdrawSession, withdrawShared } from './bank-edits.ts'
import { digestsAbove } from '../derived/digests-above.ts'
import { eraseItems } from '../derived/item-erasure.ts'
import type { Erasure } from '../erase/erasure.ts'
import { bankItems, itemKinds, itemsOfSession } from '../derived/items.ts'
import { sessionsSharing, type PlacedSession } from '../derived/parts.ts'
import { Needles } from '../needles.ts'
import { bitOf } from '../layers.ts'
import { ensureProject, ensureShared, findPartition, findShared, type PartitionRow, setShare } from '../partitions.ts'
import { abreast, type Program, all, first, run } from '../program.ts'
import { getReceipt, saveReceipt } from '../erase/receipts.ts'
import type { ItemTable } from '../schema.ts'
import { findSessionRow, type Session, sharing } from '../log/sessions.ts'
import { statement } from '../statement.ts'
import { stateVersion } from '../versions.ts'

/** The state of a project's sharing. Sessions that began at or after `since` feed the shared bank: UTC milliseconds, 0 for all. */
export interface SharingState {
  readonly on: boolean
  readonly since?: number
  /** Present while assistants' answers are shared too: since when, in UTC milliseconds, and whose choice it was. */
  readonly assistants?: { readonly since: number; readonly by?: string }
}

/** A change of a project's sharing. `assistants` shares assistants' answers from now on, or ends that. */
export interface SharingChange {
  readonly on: boolean
  readonly backfill: boolean
  readonly assistants?: boolean | undefined
  readonly by?: string | undefined
}

const select = statement<{ project: string }>()((db, p) =>
  db.selectFrom('project').select(['id', 'sharing_since', 'answers_since', 'answers_by']).where('name', '=', p('project')),
)

const update = statement<{ id: number; since: number | null; answers: number | null; by: string | null }>()((db, p) =>
  db
    .updateTable('project')
    .set({ sharing_since: p('since'), answers_since: p('answers'), answers_by: p('by') })
    .where('id', '=', p('id')),
)

// While the bank is off, only a session that came with an import has words that it shared: it goes on where it was.
const fromNowOn = statement<{ project: number }>()((db, p) =>
  db
    .updateTable('session')
    .set((e) => ({ shared_from: e('seq', '+', 1) }))
    .where('share', '=', sharing.shared)
    .where((e) =>
      e.not(
        e.exists(
          e.selectFrom('part').select('part.id').whereRef('part.session_id', '=', 'session.id').where('layer', '=', bitOf('shared')),
        ),
      ),
    )
    .where('partition_id', 'in', db.selectFrom('partition').select('id').where('project_id', '=', p('project'))),
)

// A forget or a rebuild drops the parts; entries and references stand until the session is read again.
const unsaidThatFed = statement<{ partition: number; shared: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .select('id')
    .where('partition_id', '=', p('partition'))
    .where('share', '=', sharing.unsaid)
    .where((e) =>
      e.or([
        e(
          'id',
          'in',
          db.selectFrom('part').select('session_id').where('partition_id', '=', p('partition')).where('layer', '=', bitOf('shared')),
        ),
        e.exists(
          e
            .selectFrom('item')
            .select('item.ord')
            .whereRef('item.session_id', '=', 'session.id')
            .where('item.session_id', '>', sql<number>`0`)
            .where('item.partition_id', '=', p('shared')),
        ),
        // A deletion by hand took its entry out, and kept the words.
        e.exists(
          e
            .selectFrom('deed_source')
            .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_source.deed_id').$call(d.beside('deed', 'deed_source')))
            .select('deed.id')
            .whereRef('deed_source.session_id', '=', 'session.id')
            .where('deed.partition_id', '=', p('shared')),
        ),
      ]),
    ),
)

export function* sharingOf(project: string): Program<SharingState> {
  const row = yield* first(select, { project })
  if (row === undefined || row.sharing_since === null) return { on: false }
  const { sharing_since: since, answers_since: answers, answers_by: by } = row
  const assistants = answers === null ? {} : { assistants: { since: answers, ...(by === null ? {} : { by }) } }
  return { on: true, since, ...assistants }
}

/**
 * Switches a project's shared bank on or off.
 *
 * On: sessions that begin from now on feed it, and of those that their owners share by name what comes from now on; with
 * `backfill`, all sessions do. A bank that is already on changes only with `backfill`. Off: everything shared is withdrawn; an
 * unknown project has nothing to withdraw. When assistants' answers are shared no longer, all entries are withdrawn, and made
 * again without them.
 */
export function* setSharing(
  project: string,
  { on, backfill, assistants, by }: SharingChange,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
): Program<{ sharing: SharingState; erasure: Erasure | undefined }> {
  if (!on) return { sharing: { on: false }, erasure: yield* endSharing(project, receiptId, now, needles) }
  const id = yield* ensureProject(project, now)
  const before = yield* sharingOf(project)
  const since = backfill ? 0 : (before.since ?? now)
  yield* ensureShared(id, now)
  const answers =
    assistants === undefined
      ? before.assistants
      : assistants
        ? (before.assistants ?? { since: now, ...(by === undefined ? {} : { by }) })
        : undefined
  yield* run(update, { id, since, answers: answers?.since ?? null, by: answers?.by ?? null })
  if (!before.on && !backfill) yield* run(fromNowOn, { project: id })
  const ended = endsAnswers(before, assistants) ? yield* withdrawAll(id, receiptId, now, needles) : undefined
  return { sharing: { on: true, since, ...(answers === undefined ? {} : { assistants: answers }) }, erasure: ended }
}

/** Takes over that a project shares, as it did where it comes from. Its bank is off here until now. */
export function* takeSharing(project: string, since: number, answers: SharingState['assistants'], now: number): Program<void> {
  const id = yield* ensureProject(project, now)
  yield* ensureShared(id, now)
  yield* run(update, { id, since, answers: answers?.since ?? null, by: answers?.by ?? null })
  yield* run(fromNowOn, { project: id })
}

/** Gives the version of a project's sharing. */
export function versionOfSharing({ on, since, assistants }: SharingState): string {
  return stateVersion([on, since ?? null, assistants?.since ?? null, assistants?.by ?? null])
}

/** Tells whether a change ends the sharing of assistants' answers. */
export function endsAnswers({ assistants: before }: SharingState, wanted: boolean | undefined): boolean {
  return before !== undefined && wanted === false
}

function* endSharing(project: string, receiptId: NewReceipt, now: number, needles: Needles): Program<Erasure | undefined> {
  const id = (yield* first(select, { project }))?.id
  if (id === undefined) return undefined
  yield* run(update, { id, since: null, answers: null, by: null })
  return yield* withdrawAll(id, receiptId, now, needles)
}

function* withdrawAll(project: number, receiptId: NewReceipt, now: number, needles: Needles): Program<Erasure | undefined> {
  const entries = yield* findShared(project)
  return entries === undefined ? undefined : yield* withdrawShared({ entries, source: undefined, project }, receiptId, now, needles)
}

/** The sessions to withdraw, the shared entries made from them, and the digests that may tell of these. */
export interface Fed {
  readonly sessions: readonly PlacedSession[]
  readonly project: number
  readonly items: readonly ItemTable[]
}

/** Returns everything that a project shares; undefined for a project that shares nothing. */
export function* fedToProject(project: string): Program<Fed | undefined> {
  const id = (yield* first(select, { project }))?.id
  const shared = id === undefined ? undefined : yield* findShared(id)
  if (id === undefined || shared === undefined) return undefined
  return { sessions: yield* sessionsSharing(id, bitOf('shared')), project: id, items: yield* bankItems(shared.id) }
}

/** Returns the part of the shared bank that a user's sessions fed: one session, or all sessions without a setting of their own. */
export function* fedByUser(partition: PartitionId, name: SessionName | undefined): Program<Fed | undefined> {
  const owner = yield* findPartition(partition)
  const shared = owner === undefined ? undefined : yield* findShared(owner.project_id)
  if (owner === undefined || shared === undefined) return undefined
  return yield* fedBy(shared, name === undefined ? yield* unsaidSessions(owner, shared) : yield* sessionNamed(owner, name))
}

function* fedBy(shared: PartitionRow, sessions: readonly PlacedSession[]): Program<Fed> {
  const items = (yield* abreast(sessions.map(({ partition, session }) => itemsOfSession(partition, session))))
    .flat()
    .filter((item) => item.partition_id === shared.id)
  const all = [...items, ...(yield* digestsAbove(items))]
  return { sessions, project: shared.project_id, items: [...new Map(all.map((item) => [item.ord, item])).values()] }
}

function* unsaidSessions(owner: PartitionRow, shared: PartitionRow): Program<readonly PlacedSession[]> {
  return (yield* all(unsaidThatFed, { partition: owner.id, shared: shared.id })).map(({ id }) => ({ partition: owner.id, session: id }))
}

function* sessionNamed(owner: PartitionRow, name: SessionName): Program<readonly PlacedSession[]> {
  const row = yield* findSessionRow(owner.id, name)
  return row === undefined ? [] : [{ partition: owner.id, session: row.id }]
}

/** Withdraws what a user's sessions fed: their entries, the digests that may tell of them, and their source parts. */
function* withdraw(
  partition: PartitionId,
  name: SessionName | undefined,
  receiptId: NewReceipt,
  now: number,
  needles: Needles,
): Program<Erasure | undefined> {
  const fed = yield* fedByUser(partition, name)
  for (const session of fed?.sessions ?? []) yield* withdrawSession(session, needles)
  const items = fed?.items ?? []
  // Earlier transactions may have withdrawn most of it: then the receipt exists already.
  if (items.length === 0 && needles.all?.length === 0 && (yield* getReceipt(receiptIdOf(receiptId))) === undefined) return undefined
  yield* eraseItems(items, needles)
  const bank = items.filter(({ kind }) => kind === itemKinds.bank).length
  return { receipt: yield* saveReceipt(receiptId, { bank }, 'pending', now), needles: needles.all }
}

/** The outcome of a change that can end the sharing of a session. */
export interface KeptPrivate<Result> {
  readonly result: Result
  readonly erasure: Erasure | undefined
}

/** Changes a session so that it shares nothing, and withdraws what it fed. */
export function* keepPrivate(
  partition: PartitionId,
  name: SessionName,
  change: () => Program<Session>,
  receiptId: NewReceipt,
  now: number,
  needles: Needles,
): Program<KeptPrivate<Session>> {
  const result = yield* change()
  return { result, erasure: yield* withdraw(partition, name, receiptId, now, needles) }
}

/** Sets whether a user shares sessions that have no setting of their own. When they no longer share, their entries are withdrawn. */
export function* shareByDefault(
  partition: PartitionId,
  share: boolean,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
): Program<KeptPrivate<boolean>> {
  yield* setShare(partition, share, now)
  return { result: share, erasure: share ? undefined : yield* withdraw(partition, undefined, receiptId, now, needles) }
}

/**
 * Merges a change and its withdrawal into one record. When entries were withdrawn, it has a receipt and the words to
 * search the files for.
 */
export function* withWithdrawn<Result extends { readonly erasure: Erasure | undefined }>(
  change: Program<Result>,
): Program<Omit<Result, 'erasure'> & Partial<Erasure>> {
  const { erasure, ...rest } = yield* change
  return { ...rest, ...erasure }
}
