import { sql } from 'kysely'
import { type Program, type SingleStep, all, change, first, run } from './program.ts'
import type { WorkTable } from './schema.ts'
import { statement } from './statement.ts'

/**
 * The kinds of work under a lease: distil a session, digest a bank, write a session's notes, work facts into a
 * partition's documents.
 */
export const workKinds = { session: 0, bank: 1, notes: 2, documents: 3 } as const
export type WorkKind = keyof typeof workKinds

/**
 * The kind of the lease under which a host's own model reads a piece of work. It keeps other hosts away, and never
 * upkeep: what upkeep writes meanwhile is provisional.
 */
export const handedKind = 4

const byNumber: readonly WorkKind[] = ['session', 'bank', 'notes', 'documents']

/** Returns the kind of work that is stored under a number. */
export function kindOfWork(stored: number): WorkKind {
  return byNumber[stored] ?? 'session'
}

interface Key {
  readonly kind: number
  readonly ref: number
}

/** The holder of a piece of work, and the end of its lease by the store's clock. */
export interface Holder {
  readonly holder: string
  readonly now: number
  readonly until: number
}

const find = statement<Key>()((db, p) => db.selectFrom('work').selectAll().where('kind', '=', p('kind')).where('ref', '=', p('ref')))

const insert = statement<Key & { partition: number; holder: string; until: number }>()((db, p) =>
  db
    .insertInto('work')
    .values({
      kind: p('kind'),
      ref: p('ref'),
      partition_id: p('partition'),
      lease_holder: p('holder'),
      lease_until: p('until'),
      attempts: 0,
      due_at: 0,
      seen_seq: 0,
      reason: null,
    }),
)

const take = statement<Key & { holder: string; until: number }>()((db, p) =>
  db
    .updateTable('work')
    .set({ lease_holder: p('holder'), lease_until: p('until') })
    .where('kind', '=', p('kind'))
    .where('ref', '=', p('ref')),
)

const drop = statement<Key>()((db, p) => db.deleteFrom('work').where('kind', '=', p('kind')).where('ref', '=', p('ref')))

const dropOfSession = statement<{ session: number }>()((db, p) =>
  db.deleteFrom('work').where('kind', 'in', [workKinds.session, workKinds.notes, handedKind]).where('ref', '=', p('session')),
)

const putOff = statement<Key & { attempts: number; dueAt: number; reason: string | null }>()((db, p) =>
  db
    .updateTable('work')
    .set({ lease_holder: null, lease_until: 0, attempts: p('attempts'), due_at: p('dueAt'), reason: p('reason') })
    .where('kind', '=', p('kind'))
    .where('ref', '=', p('ref')),
)

const seen = statement<Key & { state: number; dueAt: number }>()((db, p) =>
  db
    .updateTable('work')
    .set({ lease_holder: null, lease_until: 0, attempts: 0, due_at: p('dueAt'), seen_seq: p('state'), reason: null })
    .where('kind', '=', p('kind'))
    .where('ref', '=', p('ref')),
)

const letGo = statement<{ holders: string; length: number }>()((db, p, d) =>
  db
    .updateTable('work')
    .set({ lease_holder: null, lease_until: 0 })
    .where(d.beginning(sql<string>`lease_holder`, d.number(p('length'))), '=', p('holders')),
)

const failing = statement<object>()((db) => db.selectFrom('work').selectAll().where('reason', 'is not', null))

const dropOfPartition = statement<{ partition: number }>()((db, p) => db.deleteFrom('work').where('partition_id', '=', p('partition')))

/** Claims a piece of work. Returns the number of failures in a row before; undefined when another holder has it. */
export function* claimWork(key: Key, partition: number, of: Holder): Program<number | undefined> {
  const row = yield* first(find, key)
  if (isHeld(row, of)) return undefined
  yield claimOf(row, key, partition, of)
  return row?.attempts ?? 0
}

/** Tells whether another has a piece of work. */
export function isHeld(row: WorkTable | undefined, { holder, now }: Holder): boolean {
  return row !== undefined && row.lease_until > now && row.lease_holder !== holder
}

/** Returns the step that claims a piece of work, which no other has. */
export function claimOf(row: WorkTable | undefined, key: Key, partition: number, { holder, until }: Holder): SingleStep {
  return row === undefined ? change(insert, { ...key, partition, holder, until }) : leaseChange(key, { holder, until })
}

/** Returns the row of a piece of work that is still held: a lease that ran out may be another's. */
export function* heldWork(key: Key, holder: string): Program<WorkTable | undefined> {
  const row = yield* first(find, key)
  return row?.lease_holder === holder ? row : undefined
}

/** Returns the step that gives a lease another end. */
export function leaseChange(key: Key, { holder, until }: Pick<Holder, 'holder' | 'until'>): SingleStep {
  return change(take, { ...key, holder, until })
}

export function findWork(key: Key): Program<WorkTable | undefined> {
  return first(find, key)
}

/** Gives back the work held under a name and the names below it (`name/1`, `name/2`, …): those holders are gone. */
export function letGoOfWork(holder: string): Program<void> {
  const holders = `${holder}/`
  return run(letGo, { holders, length: holders.length })
}

/** Drops the row of a piece of work: there is nothing left to note. */
export function* dropWork(key: Key): Program<void> {
  yield workDrop(key)
}

/** Returns the step of dropWork(), to run in a list. */
export function workDrop({ kind, ref }: Key): SingleStep {
  return change(drop, { kind, ref })
}

/** Drops the work on a session, in one statement: a forget of many sessions makes it for each. */
export function dropWorkOfSession(session: number): Program<void> {
  return run(dropOfSession, { session })
}

/** Returns the step that notes the reason of a failure, and gives the work back. */
export function workPutOff({ kind, ref }: Key, attempts: number, dueAt: number, reason: string | null): SingleStep {
  return change(putOff, { kind, ref, attempts, dueAt, reason })
}

/** Notes the state in which nothing was due. Upkeep looks again when the state has changed, or at `dueAt`. */
export function seenWork(key: Key, state: number, dueAt: number): Program<void> {
  return run(seen, { ...key, state, dueAt })
}

/** Returns the failing work, with the reasons. */
export function failingWork(): Program<readonly WorkTable[]> {
  return all(failing, {})
}

export function dropWorkOf(partition: number): Program<void> {
  return run(dropOfPartition, { partition })
}

/** The wait between attempts doubles from the first to the longest: milliseconds. */
const firstAgainMs = 60_000
const longestAgainMs = 86_400_000

/** The earliest time of the next attempt (UTC milliseconds). `isUntried`: nothing was tried, so no failure counts. */
export interface Again {
  readonly notBefore: number
  readonly isUntried?: boolean
}

/**
 * Returns the step that puts work off after `attempts` failures and one more: longer each time. Untried work waits for its
 * time alone.
 */
export function workPutOffAgain(
  key: Key,
  attempts: number,
  { notBefore, isUntried }: Again,
  reason: string | null,
  now: number,
): SingleStep {
  if (isUntried === true) return workPutOff(key, attempts, notBefore, reason)
  const dueAt = Math.max(notBefore, now + Math.min(longestAgainMs, firstAgainMs * 2 ** Math.min(attempts, 20)))
  return workPutOff(key, attempts + 1, dueAt, reason)
}
