import { sql } from 'kysely'
import { storeSigningKey } from '../../signing/keys.ts'
import type { Signature } from '../../signing/signatures.ts'
import type { PartitionId } from '../../scope/partition.ts'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf } from '../listed.ts'
import { type Program, type SingleStep, abreast, all, change, first, run, runList } from '../program.ts'
import type { ReceiptTable } from '../schema.ts'
import { erasureSteps, noteErased } from '../journal/erasures.ts'
import { statement } from '../statement.ts'
import { storeSecret } from '../store-secret.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'
import { receiptOwnerStep } from './receipt-owners.ts'
import { type Erased, erasedOf, type NewReceipt, receiptIdOf } from './erases.ts'
import { signReceipt } from './receipt-signature.ts'

/** The record of an erasure. `physical` is `pending` until the words are gone from the files' bytes as well. */
export interface Receipt {
  readonly id: string
  /** The number of erased things, by kind. */
  readonly counts: Readonly<Record<string, number>>
  readonly logical: 'done'
  readonly physical: 'pending' | 'done'
  /** The time of the erasure: UTC milliseconds. */
  readonly at: number
  readonly doneAt?: number
  /** The reason why the bytes are still there after a failed attempt. */
  readonly reason?: string
  /** What was erased, without a name or a word: a backup can be told to forget it again. Absent from an older Varve. */
  readonly erased?: Erased
  /** By the store's key and, where one is configured, by an Ed25519 key. They cover everything but `reason`. */
  readonly signatures?: readonly Signature[]
}

const insertReceipt = statement<Omit<ReceiptTable, 'id'>>()((db, p) =>
  db
    .insertInto('receipt')
    .values({
      uuid: p('uuid'),
      counts: p('counts'),
      physical: p('physical'),
      created_at: p('created_at'),
      done_at: p('done_at'),
      attempts: p('attempts'),
      reason: p('reason'),
      lease_holder: p('lease_holder'),
      lease_until: p('lease_until'),
      erased: p('erased'),
      signatures: p('signatures'),
    } as ReceiptTable),
)

const update = statement<Pick<ReceiptTable, 'id' | 'counts' | 'physical' | 'done_at' | 'signatures' | 'lease_holder' | 'lease_until'>>()(
  (db, p) =>
    db
      .updateTable('receipt')
      .set({
        counts: p('counts'),
        physical: p('physical'),
        done_at: p('done_at'),
        signatures: p('signatures'),
        lease_holder: p('lease_holder'),
        lease_until: p('lease_until'),
      })
      .where('id', '=', p('id')),
)

const updateSignatures = statement<{ id: number; signatures: string }>()((db, p) =>
  db
    .updateTable('receipt')
    .set({ signatures: p('signatures') })
    .where('id', '=', p('id')),
)

const hold = statement<{ uuid: Uint8Array; holder: string; until: number }>()((db, p) =>
  db
    .updateTable('receipt')
    .set({ lease_holder: p('holder'), lease_until: p('until') })
    .where('uuid', '=', p('uuid')),
)

const byId = statement<{ uuid: Uint8Array }>()((db, p) => db.selectFrom('receipt').selectAll().where('uuid', '=', p('uuid')))

const sizesBefore = statement<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('receipt')
    .select([
      'id as key',
      sql<number>`octet_length(counts) + coalesce(octet_length(reason), 0) + coalesce(octet_length(erased), 0)`.as('bytes'),
    ])
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const byKeys = statement<{ keys: string }>()((db, p, d) =>
  db
    .selectFrom('receipt')
    .selectAll()
    .where('id', 'in', d.numbers(p('keys'))),
)

const pending = statement<object>()((db) => db.selectFrom('receipt').selectAll().where('physical', '=', 'pending').orderBy('id'))

const claim = statement<{ holder: string; until: number; now: number }>()((db, p) =>
  db
    .updateTable('receipt')
    .set({ lease_holder: p('holder'), lease_until: p('until') })
    .where('physical', '=', 'pending')
    .where((e) => e.or([e('lease_until', '<=', p('now')), e('lease_holder', '=', p('holder'))])),
)

const claimed = statement<{ holder: string }>()((db, p) =>
  db.selectFrom('receipt').selectAll().where('physical', '=', 'pending').where('lease_holder', '=', p('holder')).orderBy('id'),
)

const finish = statement<{ holder: string; upTo: number; now: number }>()((db, p) =>
  db
    .updateTable('receipt')
    .set({ physical: 'done', done_at: p('now'), reason: null, lease_holder: null, lease_until: 0 })
    .where('physical', '=', 'pending')
    .where('lease_holder', '=', p('holder'))
    .where('id', '<=', p('upTo')),
)

const release = statement<{ holder: string; reason: string }>()((db, p) =>
  db
    .updateTable('receipt')
    .set((e) => ({ attempts: e('attempts', '+', 1), reason: p('reason'), lease_holder: null, lease_until: 0 }))
    .where('physical', '=', 'pending')
    .where('lease_holder', '=', p('holder')),
)

/**
 * Stores a receipt, and tells of it. Counts are added when a receipt with this id exists, from an erasure in several
 * transactions. `owner`: whose erasure it is about, where that is noted.
 */
export function* saveReceipt(
  receipt: NewReceipt,
  counts: Receipt['counts'],
  physical: Receipt['physical'],
  now: number,
  owner?: PartitionId,
): Program<Receipt> {
  const { saved, steps } = savedBy(yield* standingOf(receipt, now), { receipt, counts, physical, now, owner })
  yield* runList(steps)
  return saved
}

/** What is read before a receipt is written: it does not depend on the counts. */
export interface ReceiptStanding {
  /** Its row, from an earlier transaction of the same erasure. */
  readonly before: ReceiptTable | undefined
  readonly secret: string
  /** The steps that tell readers of the erasure. */
  readonly telling: readonly SingleStep[]
}

/** Reads what a receipt needs, in one step. What it tells of the partition is as that stands now. */
export function* standingOf(receipt: NewReceipt, now: number): Program<ReceiptStanding> {
  const [before, secret, telling] = yield* abreast([first(byId, { uuid: bytesOf(receipt) }), storeSecret(), erasureSteps(receipt, now)])
  return { before, secret, telling }
}

/** A receipt that is to be stored, or added to. */
export interface SavedReceipt {
  readonly receipt: NewReceipt
  readonly counts: Receipt['counts']
  readonly physical: Receipt['physical']
  readonly now: number
  readonly owner?: PartitionId | undefined
}

/** A receipt as it will stand, and the steps that write it. */
export interface SavedBy {
  readonly saved: Receipt
  readonly steps: readonly SingleStep[]
}

/** Gives the steps that store a receipt and tell of it. */
export function savedBy(standing: ReceiptStanding, asked: SavedReceipt): SavedBy {
  const { saved, steps } = writtenBy(standing, asked)
  return { saved, steps: [...steps, ...standing.telling] }
}

function writtenBy({ before, secret }: Omit<ReceiptStanding, 'telling'>, { receipt, counts, physical, now, owner }: SavedReceipt): SavedBy {
  const ownerOf = owner ?? deletedFrom(receipt)
  const owned = ownerOf === undefined ? [] : [receiptOwnerStep(ownerOf, bytesOf(receipt), secret)]
  if (before !== undefined) {
    const { saved, row } = signed(addedTo(before, counts, physical), secret)
    return { saved, steps: [...owned, change(update, row)] }
  }
  const { saved, row } = signed(
    {
      ...{ uuid: bytesOf(receipt), counts: JSON.stringify(counts), physical, created_at: now, done_at: physical === 'done' ? now : null },
      erased: typeof receipt === 'string' ? null : JSON.stringify(erasedOf(receipt.erases, secret)),
      ...{ signatures: null, attempts: 0, reason: null, lease_holder: null, lease_until: 0 },
    },
    secret,
  )
  return { saved, steps: [...owned, change(insertReceipt, row)] }
}

/** Tells whose thing a person deleted by hand: an import looks there, so that an older export does not bring it back. */
function deletedFrom(receipt: NewReceipt): PartitionId | undefined {
  const erases = typeof receipt === 'string' ? undefined : receipt.erases
  return erases?.what === 'block' || erases?.what === 'document' || erases?.what === 'notes' ? erases.of : undefined
}

type Unnumbered = Omit<ReceiptTable, 'id'>

/** Signs a receipt's row as it is now. A receipt that does not say what it erased stays unsigned: it is of an older Varve. */
function signed<Row extends Unnumbered>(row: Row, secret: string): { readonly saved: Receipt; readonly row: Row } {
  const receipt = receiptOf(row)
  if (row.erased === null) return { saved: receipt, row }
  const signatures = signReceipt({ purpose: 'receipts', store: storeSigningKey(secret, 'receipts') }, receipt)
  return { saved: { ...receipt, signatures }, row: { ...row, signatures: JSON.stringify(signatures) } }
}

/** The holder of a receipt whose erasure still goes on. */
const eraser = 'erasure'

/** The time for which nobody else takes such an erasure for a broken one: milliseconds. */
const turnMs = 60_000

/** Notes the counts of one of several transactions. The files are searched once all have run; the first and the last one are told. */
export function* noteTurn(receipt: NewReceipt, counts: Receipt['counts'], now: number): Program<void> {
  const standing = yield* standingOf(receipt, now)
  const asked = { receipt, counts, physical: 'pending', now } as const
  const { steps } = standing.before === undefined ? savedBy(standing, asked) : writtenBy(standing, asked)
  yield* runList([...steps, change(hold, { uuid: bytesOf(receipt), holder: eraser, until: now + turnMs })])
}

function bytesOf(receipt: NewReceipt): Uint8Array {
  const id = receiptIdOf(receipt)
  const uuid = uuidBytes(id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${id}`)
  return uuid
}

function addedTo(row: ReceiptTable, counts: Receipt['counts'], physical: Receipt['physical']): ReceiptTable {
  return {
    ...row,
    counts: JSON.stringify(summed(receiptOf(row).counts, counts)),
    // Drops the lease: its holder has searched only for the words erased until then.
    lease_holder: null,
    lease_until: 0,
    ...(physical === 'done' ? {} : { physical, done_at: null }),
  }
}

export function* getReceipt(id: string): Program<Receipt | undefined> {
  const uuid = uuidBytes(id)
  const row = uuid === undefined ? undefined : yield* first(byId, { uuid })
  return row === undefined ? undefined : receiptOf(row)
}

/** Returns receipts, the newest first. */
export function* receipts(request: ListRequest): Program<Listed<Receipt>> {
  const [before] = placeOf('receipt', request, /(\d{1,15})/) ?? [Number.MAX_SAFE_INTEGER]
  const { limit } = request
  const places = yield* all(sizesBefore, { before: Number(before), limit: limit + 1 })
  return yield* pageOf(
    { places, limit, cursorOf: ({ key }) => cursorTo('receipt', key) },
    (keys) => all(byKeys, { keys: JSON.stringify(keys) }),
    (row) => row.id,
    receiptOf,
  )
}

/** Returns the erasures whose bytes are not yet gone, with their holders. */
export function* pendingErasures(): Program<readonly (Receipt & { attempts: number; leaseUntil: number })[]> {
  const rows = yield* all(pending, {})
  return rows.map((row) => ({ ...receiptOf(row), attempts: row.attempts, leaseUntil: row.lease_until }))
}

/** Claims all pending erasures that nobody holds. Returns their ids, and the newest one's key. */
export function* claimErasures(holder: string, now: number, until: number): Program<{ ids: readonly string[]; upTo: number }> {
  yield* run(claim, { holder, until, now })
  const rows = yield* all(claimed, { holder })
  return { ids: rows.map((row) => uuidText(row.uuid)), upTo: rows.at(-1)?.id ?? 0 }
}

/** Marks the erasures that a holder still holds, up to a key, as gone from the files' bytes. */
export function* markErasuresDone(holder: string, upTo: number, now: number): Program<void> {
  const [standing, secret] = yield* abreast([all(claimed, { holder }), storeSecret()])
  const rows = standing.filter(({ id }) => id <= upTo)
  const done = rows.map((row) => signed({ ...row, physical: 'done', done_at: now, reason: null }, secret).row)
  yield* runList([change(finish, { holder, upTo, now }), ...done.flatMap(({ id, signatures }) => signingStep(id, signatures))])
  yield* noteErased(
    rows.map(({ uuid }) => uuid),
    now,
  )
}

function signingStep(id: number, signatures: string | null): readonly SingleStep[] {
  return signatures === null ? [] : [change(updateSignatures, { id, signatures })]
}

/** Gives the leases back, with the reason why the bytes are still there. */
export function releaseErasures(holder: string, reason: string): Program<void> {
  return run(release, { holder, reason })
}

/** Adds up counts by kind. */
export function summed(one: Receipt['counts'], other: Receipt['counts']): Record<string, number> {
  const sum: Record<string, number> = { ...one }
  for (const [kind, count] of Object.entries(other)) sum[kind] = (sum[kind] ?? 0) + count
  return sum
}

function receiptOf(row: Unnumbered): Receipt {
  const erased: Erased | undefined = row.erased === null ? undefined : JSON.parse(row.erased)
  const signatures: readonly Signature[] | undefined = row.signatures === null ? undefined : JSON.parse(row.signatures)
  return {
    id: uuidText(row.uuid),
    counts: JSON.parse(row.counts) as Record<string, number>,
    logical: 'done',
    physical: row.physical === 'done' ? 'done' : 'pending',
    at: row.created_at,
    ...(row.done_at === null ? {} : { doneAt: row.done_at }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(erased === undefined ? {} : { erased }),
    ...(signatures === undefined ? {} : { signatures }),
  }
}
