import { sql } from 'kysely'
import type { CallEnd } from '../../models/language-model.ts'
import type { ReadingsBounds } from '../readings-bounds.ts'
import { type Program, all, first, run } from '../program.ts'
import type { LedgerTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { handedKind } from '../work.ts'
import { beginCall, type Ceiling, endCall, type NewCall } from './ledger.ts'

/** What the task of a reading begins with in the ledger, and what it ends with when an earlier answer could not be used. */
const tasks = { begins: 'reading-', again: '-again' } as const

/** A reading to be handed out: the piece of work, and the request that stands for it in the ledger. */
export interface HandOut {
  readonly piece: HandedPiece
  readonly call: Omit<NewCall, 'run'>
  /** True where an earlier answer could not be used. */
  readonly isAgain: boolean
  readonly ceiling: Ceiling
  readonly bounds: ReadingsBounds
  /** The reading whose answer this one asks for again: its lease goes over. */
  readonly after?: number | undefined
}

/** A piece of work of a partition: the number of a session, or below 0 that of a partition with facts for documents. */
export interface HandedPiece {
  readonly ref: number
  readonly partition: number
  /** The last place of the session that is read; 0 for documents. */
  readonly upTo: number
}

/** Why nothing was handed out. `held`: another host has it. */
export type HandRefusal = 'held' | 'session' | 'day' | 'ceiling'

/** A reading that was handed out and not answered. */
export interface Handed {
  /** Absent when another host took it, or its session is gone. */
  readonly piece: HandedPiece | undefined
  readonly task: string
  readonly isAgain: boolean
  readonly model: string
  readonly layers: number
  readonly beganAt: number
  readonly tokens: number
}

const held = statement<{ ref: number }>()((db, p) =>
  db
    .selectFrom('work')
    .selectAll()
    .where('kind', '=', sql<number>`${sql.lit(handedKind)}`)
    .where('ref', '=', p('ref')),
)

const heldBy = statement<{ partition: number; holder: string }>()((db, p) =>
  db
    .selectFrom('work')
    .selectAll()
    .where('kind', '=', sql<number>`${sql.lit(handedKind)}`)
    .where('partition_id', '=', p('partition'))
    .where('lease_holder', '=', p('holder')),
)

const drop = statement<{ ref: number }>()((db, p) =>
  db
    .deleteFrom('work')
    .where('kind', '=', sql<number>`${sql.lit(handedKind)}`)
    .where('ref', '=', p('ref')),
)

const hold = statement<{ ref: number; partition: number; holder: string; until: number; upTo: number }>()((db, p) =>
  db
    .insertInto('work')
    .values({
      kind: sql<number>`${sql.lit(handedKind)}`,
      ref: p('ref'),
      partition_id: p('partition'),
      lease_holder: p('holder'),
      lease_until: p('until'),
      attempts: sql<number>`0`,
      due_at: sql<number>`0`,
      seen_seq: p('upTo'),
      reason: null,
    }),
)

const dropOver = statement<{ partition: number; before: number }>()((db, p) =>
  db
    .deleteFrom('work')
    .where('kind', '=', sql<number>`${sql.lit(handedKind)}`)
    .where('partition_id', '=', p('partition'))
    .where('lease_until', '<', p('before')),
)

const handedSince = statement<{ project: number; since: number; owner: Uint8Array }>()((db, p, d) =>
  db
    .selectFrom('ledger')
    .select((e) => ['run', e.fn.countAll<number>().as('readings')])
    .where('project_id', '=', p('project'))
    .where('began_at', '>=', p('since'))
    .where('run', 'is not', null)
    .where(sql<boolean>`${d.beginning(sql`run`, sql.lit(ownerBytes))} = ${p('owner')}`)
    .where(sql<boolean>`${d.beginning(sql`task`, sql.lit(tasks.begins.length))} = ${sql.lit(tasks.begins)}`)
    .groupBy('run'),
)

const row = statement<{ id: number }>()((db, p) => db.selectFrom('ledger').selectAll().where('id', '=', p('id')))

/** A lease that ran out stays its holder's until another takes it; so long after that it goes. */
const keptMs = 86_400_000

/**
 * Hands a reading out: takes the lease, counts against the bounds, and notes the request in the ledger, all at once. Gives
 * the row of the ledger, or why not.
 */
export function* handOut(out: HandOut, now: number, until: number): Program<number | HandRefusal> {
  const { piece, call, ceiling, bounds, after } = out
  const standing = yield* first(held, piece)
  if (standing !== undefined && standing.lease_until > now && (after === undefined || standing.lease_holder !== holderOf(after)))
    return 'held'
  const own = runOf(piece)
  const before = yield* all(handedSince, { project: call.project, since: ceiling.since, owner: own.subarray(0, ownerBytes) })
  const ofSession = before.find(({ run: one }) => one !== null && Buffer.from(one).equals(own))?.readings ?? 0
  if (ofSession >= bounds.perSession) return 'session'
  if (before.reduce((sum, { readings }) => sum + readings, 0) >= bounds.perDay) return 'day'
  const task = `${tasks.begins}${call.task}${out.isAgain ? tasks.again : ''}`
  const id = yield* beginCall({ ...call, task, run: own }, ceiling, now)
  if (id === undefined) return 'ceiling'
  yield* run(dropOver, { partition: piece.partition, before: now - keptMs })
  yield* run(drop, piece)
  yield* run(hold, { ...piece, holder: holderOf(id), until })
  return id
}

/** Tells whether a host has a piece of work. */
export function* isHanded(ref: number, now: number): Program<boolean> {
  return ((yield* first(held, { ref }))?.lease_until ?? 0) > now
}

/** Returns a reading of a partition. `over` when it was answered; undefined for one that never was. */
export function* handedReading(id: number, partition: number): Program<Handed | 'over' | undefined> {
  const call = yield* first(row, { id })
  if (call === undefined || !call.task.startsWith(tasks.begins) || !isOf(call, partition)) return undefined
  const work = yield* first(heldBy, { partition, holder: holderOf(id) })
  if (call.outcome !== 'pending') return 'over'
  const isAgain = call.task.endsWith(tasks.again)
  return {
    piece: work === undefined ? undefined : { ref: work.ref, partition, upTo: work.seen_seq },
    task: call.task.slice(tasks.begins.length, isAgain ? -tasks.again.length : undefined),
    isAgain,
    model: call.model,
    layers: call.layers,
    beganAt: call.began_at,
    tokens: call.input_tokens,
  }
}

/**
 * Notes in the ledger how a reading ended, and gives its piece of work back. Of two answers at once the first one's end stays
 * in the ledger: it is the one that was used.
 */
export function* endHanded(id: number, ref: number | undefined, end: CallEnd): Program<void> {
  if ((yield* first(row, { id }))?.outcome === 'pending') yield* endCall(id, end)
  if (ref === undefined) return
  const standing = yield* first(held, { ref })
  if (standing?.lease_holder === holderOf(id)) yield* run(drop, { ref })
}

function holderOf(id: number): string {
  return `reading/${id}`
}

// In the ledger, a reading has its piece of work in the place of a run of upkeep: 4 bytes of the partition, then the number
// of the piece. The rest is what a uuid of its own making has.
const ownerBytes = 4

function runOf({ partition, ref }: Pick<HandedPiece, 'partition' | 'ref'>): Uint8Array {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(partition, 0)
  bytes.writeUInt8(Number(ref < 0), 5)
  bytes.writeUInt8(0x80, 6)
  bytes.writeUInt8(0x80, 8)
  bytes.writeUIntBE(Math.abs(ref), 10, 6)
  return new Uint8Array(bytes)
}

function isOf({ run: own }: Pick<LedgerTable, 'run'>, partition: number): boolean {
  return own !== null && Buffer.from(own).readUInt32BE(0) === partition
}
