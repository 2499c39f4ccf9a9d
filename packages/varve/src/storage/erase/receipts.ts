import { sql } from 'kysely'
import { storeSigningKey } from '../../signing/keys.ts'
import type { Signature } from '../../signing/signatures.ts'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf } from '../listed.ts'
import { type Program, all, first, run } from '../program.ts'
import type { ReceiptTable } from '../schema.ts'
import { lost } from '../lost.ts'
import { noteErased, noteErasure } from '../journal/erasures.ts'
import { statement } from '../statement.ts'
import { storeSecret } from '../store-secret.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'
import { noteReceiptOwner } from './receipt-owners.ts'
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

const update = statement<Pick<ReceiptTable, 'id' | 'counts' | 'physical' | 'done_at' | 'lease_holder' | 'lease_until'>>()((db, p) =>
  db
    .updateTable('receipt')
    .set({
      counts: p('counts'),
      physical: p('physical'),
      done_at: p('done_at'),
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

/** Stores a receipt, and tells of it. Counts are added when a receipt with this id exists, from an erasure in several transactions. */
export function* saveReceipt(receipt: NewReceipt, counts: Receipt['counts'], physical: Receipt['physical'], now: number): Program<Receipt> {
  const uuid = bytesOf(receipt)
  const saved = yield* save(yield* first(byId, { uuid }), receipt, uuid, { counts, physical, now })
  yield* noteErasure(receipt, now)
  return saved
}

interface Erasing {
  readonly counts: Receipt['counts']
  readonly physical: Receipt['physical']
  readonly now: number
}

function* save(
  before: ReceiptTable | undefined,
  receipt: NewReceipt,
  uuid: Uint8Array,
  { counts, physical, now }: Erasing,
): Program<Receipt> {
  if (before !== undefined) return yield* addTo(before, counts, physical)
  const erased = typeof receipt === 'string' ? null : JSON.stringify(erasedOf(receipt.erases, yield* storeSecret()))
  const done = physical === 'done' ? now : null
  yield* run(insertReceipt, {
    ...{ uuid, counts: JSON.stringify(counts), physical, created_at: now, done_at: done, erased, signatures: null },
    ...{ attempts: 0, reason: null, lease_holder: null, lease_until: 0 },
  })
  const stored = yield* first(byId, { uuid })
  if (stored === undefined) throw lost('receipt')
  yield* noteDeletion(receipt)
  return yield* signed(stored)
}

/** Notes whose thing a person deleted by hand: an import looks there, so that an older export does not bring it back. */
function* noteDeletion(receipt: NewReceipt): Program<void> {
  const erases = typeof receipt === 'string' ? undefined : receipt.erases
  if (erases?.what === 'block' || erases?.what === 'document' || erases?.what === 'notes')
    yield* noteReceiptOwner(erases.of, receiptIdOf(receipt))
}

/** Signs a receipt's row as it is now. A receipt that does not say what it erased stays unsigned: it is of an older Varve. */
function* signed(row: ReceiptTable): Program<Receipt> {
  const receipt = receiptOf(row)
  if (row.erased === null) return receipt
  const signatures = signReceipt({ purpose: 'receipts', store: storeSigningKey(yield* storeSecret(), 'receipts') }, receipt)
  yield* run(updateSignatures, { id: row.id, signatures: JSON.stringify(signatures) })
  return { ...receipt, signatures }
}

/** The holder of a receipt whose erasure still goes on. */
const eraser = 'erasure'

/** The time for which nobody else takes such an erasure for a broken one: milliseconds. */
const turnMs = 60_000

/** Notes the counts of one of several transactions. The files are searched once all have run; the first and the last one are told. */
export function* noteTurn(receipt: NewReceipt, counts: Receipt['counts'], now: number): Program<void> {
  const uuid = bytesOf(receipt)
  const before = yield* first(byId, { uuid })
  yield* save(before, receipt, uuid, { counts, physical: 'pending', now })
  if (before === undefined) yield* noteErasure(receipt, now)
  yield* run(hold, { uuid, holder: eraser, until: now + turnMs })
}

function bytesOf(receipt: NewReceipt): Uint8Array {
  const id = receiptIdOf(receipt)
  const uuid = uuidBytes(id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${id}`)
  return uuid
}

function* addTo(row: ReceiptTable, counts: Receipt['counts'], physical: Receipt['physical']): Program<Receipt> {
  // Drops the lease: its holder has searched only for the words erased until then.
  const changed = {
    ...row,
    counts: JSON.stringify(summed(receiptOf(row).counts, counts)),
    lease_holder: null,
    lease_until: 0,
    ...(physical === 'done' ? {} : { physical, done_at: null }),
  }
  yield* run(update, changed)
  return yield* signed(changed)
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
  const rows = (yield* all(claimed, { holder })).filter(({ id }) => id <= upTo)
  yield* run(finish, { holder, upTo, now })
  for (const row of rows) yield* signed({ ...row, physical: 'done', done_at: now, reason: null })
  yield* noteErased(
    rows.map(({ uuid }) => uuid),
    now,
  )
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

function receiptOf(row: ReceiptTable): Receipt {
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
