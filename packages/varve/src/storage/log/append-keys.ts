import { partitionList } from '../partition-list.ts'
import { createHmac } from 'node:crypto'
import { IdempotencyReused } from '../../errors/idempotency-reused.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import type { AppendKeyTable } from '../door-tables.ts'
import { lost } from '../lost.ts'
import { findPartition, keyOf, namesOf } from '../partitions.ts'
import { all, first, type Program, run } from '../program.ts'
import { statement } from '../statement.ts'
import { storeSecret } from '../store-secret.ts'
import type { Appended } from './appended.ts'
import { messageIdOf } from './messages.ts'
import { findSessionRow } from './sessions.ts'

/** The time for which an append may be sent again under its key, and the most keys of a partition that are kept. */
export const appendKeys = { keptMs: 24 * 3_600_000, kept: 10_000 } as const

// An append that comes again after its messages were forgotten must not bring them back. So a key outlives its session and
// its partition, for the rest of its 24 hours: without the hash of the batch, and, when the partition goes, under a number
// that is made of its owner's name. What comes again under it is answered as forgotten.

/** An append that may be sent again: hashes of its key and of its batch. */
export interface Once {
  readonly digest: Uint8Array
  readonly request: Uint8Array
  /** The number under which the keys of a forgotten partition of this owner are kept. */
  readonly gone: number
}

/** What is known of an append that was sent before. */
export interface SentBefore {
  readonly places: readonly Kept[]
  /** True when its session was forgotten since, with all of its messages. */
  readonly isForgotten: boolean
}

/** The message of a batch as it was stored: its place in the session, below 0 for a duplicate; null for one that was left out. */
type Kept = number | null

/** A result of an append that was sent before. `gone` is the place in the batch of a message that was forgotten since. */
export interface Retold extends Appended {
  readonly gone?: number
}

const find = statement<{ partition: number; gone: number; digest: Uint8Array }>()((db, p) =>
  db
    .selectFrom('append_key')
    .selectAll()
    .where('partition_id', 'in', [p('partition'), p('gone')])
    .where('digest', '=', p('digest'))
    .orderBy('partition_id', 'desc')
    .limit(1),
)

const put = statement<AppendKeyTable>()((db, p) =>
  db
    .insertInto('append_key')
    .values({
      partition_id: p('partition_id'),
      digest: p('digest'),
      session_id: p('session_id'),
      request: p('request'),
      ords: p('ords'),
      recorded_at: p('recorded_at'),
    })
    .onConflict((c) => c.columns(['partition_id', 'digest']).doUpdateSet({ ords: p('ords') })),
)

const dropOld = statement<{ near: string; before: number }>()((db, p, d) =>
  db
    .deleteFrom('append_key')
    .where('recorded_at', '<', p('before'))
    .$call(d.among(p('near'))),
)

const dropBeyond = statement<{ partition: number; kept: number }>()((db, p) =>
  db
    .deleteFrom('append_key')
    .where('partition_id', '=', p('partition'))
    .where(
      'recorded_at',
      '<',
      db
        .selectFrom('append_key')
        .select('recorded_at')
        .where('partition_id', '=', p('partition'))
        .orderBy('recorded_at', 'desc')
        .limit(1)
        .offset(p('kept')),
    ),
)

/** The hash of a batch whose messages were forgotten. */
const nothing = new Uint8Array(0)

const forgetSession = statement<{ partition: number; session: number; nothing: Uint8Array }>()((db, p, d) =>
  db
    .updateTable('append_key')
    .set({ session_id: 0, request: p('nothing') })
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition'))),
)

const anyOf = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('append_key').select('recorded_at').where('partition_id', '=', p('partition')).limit(1),
)

const moveTo = statement<{ partition: number; gone: number; nothing: Uint8Array }>()((db, p) =>
  db
    .updateTable('append_key')
    .set({ partition_id: p('gone'), session_id: 0, request: p('nothing') })
    .where('partition_id', '=', p('partition')),
)

const bySeqs = statement<{ partition: number; session: number; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['uuid', 'seq', 'external_id'])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', 'in', d.numbers(p('seqs'))),
)

/** An append as its caller asks for it. */
interface AskedAppend {
  readonly partition: PartitionId
  readonly session: SessionName
  readonly key: string
}

/** Returns the hashes of an append. That of the batch is keyed by the idempotency key, so that it says nothing of the words. */
export function onceOf(secret: string, { partition, session, key }: AskedAppend, batch: Iterable<readonly unknown[]>): Once {
  const keyed = createHmac('sha256', secret).update('varve: an append that may be sent again\0').update(key).digest()
  const request = createHmac('sha256', keyed).update(JSON.stringify(session))
  for (const fields of batch) request.update(JSON.stringify(fields))
  const digest = createHmac('sha256', keyed).update('key').digest()
  return { digest, request: request.digest(), gone: goneNumber(secret, keyOf(partition)) }
}

/** Makes a number below 0 of an owner's name, with the store's secret: no partition has one. */
function goneNumber(secret: string, { project, kind, owner }: ReturnType<typeof keyOf>): number {
  const whole = createHmac('sha256', secret)
    .update('varve: appends of a forgotten owner\0')
    .update(JSON.stringify([project, kind, owner]))
  return -1 - whole.digest().readUIntBE(0, 6)
}

/**
 * Returns how the messages of an append that was sent before were stored; undefined when there was none. Throws
 * IdempotencyReused for another batch.
 */
export function* keptOf(partition: PartitionId, { digest, request, gone }: Once, now: number): Program<SentBefore | undefined> {
  const owner = yield* findPartition(partition)
  const row = yield* first(find, { partition: owner?.id ?? gone, gone, digest })
  if (row === undefined || row.recorded_at < now - appendKeys.keptMs) return undefined
  const isForgotten = row.request.length === 0
  if (!isForgotten && Buffer.compare(row.request, request) !== 0) throw new IdempotencyReused()
  const places: readonly Kept[] = JSON.parse(row.ords)
  return { places, isForgotten }
}

/** A part of a batch: the messages before it, and the caller’s ids of its own. */
export interface PartOfBatch {
  readonly before: number
  readonly externalIds: readonly (string | null)[]
}

/**
 * Stores a part of a batch unless another call did, and notes it under the append's key in the same transaction. Returns
 * undefined when it was stored before.
 */
export function* storeOnce(
  partition: PartitionId,
  session: SessionName,
  once: Once,
  part: PartOfBatch,
  store: () => Program<readonly Appended[]>,
  now: number,
): Program<readonly Appended[] | undefined> {
  const near = partitionList([(yield* findPartition(partition))?.id ?? once.gone, once.gone])
  yield* run(dropOld, { near, before: now - appendKeys.keptMs })
  const { places: kept, isForgotten } = (yield* keptOf(partition, once, now)) ?? { places: [], isForgotten: false }
  if (isForgotten || kept.length > part.before) return undefined
  const results = yield* store()
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  // A batch of nothing but forgotten messages makes neither.
  if (owner === undefined || row === undefined) return results
  const before = [...kept, ...Array.from({ length: part.before - kept.length }, () => null)]
  const ords = JSON.stringify([...before, ...placesOf(part, results)])
  const { digest, request } = once
  yield* run(put, { partition_id: owner.id, session_id: row.id, digest, request, ords, recorded_at: now })
  if (kept.length === 0) yield* run(dropBeyond, { partition: owner.id, kept: appendKeys.kept })
  return results
}

/** Returns the result of an append that was sent before, from the messages as they are now. */
export function* retold(partition: PartitionId, session: SessionName, kept: readonly Kept[]): Program<readonly Retold[]> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  const seqs = JSON.stringify(kept.flatMap((seq) => (seq === null ? [] : [Math.abs(seq)])))
  const rows = row === undefined ? [] : yield* all(bySeqs, { partition: row.partition_id, session: row.id, seqs })
  const stored = new Map(rows.map((one) => [one.seq, one]))
  return kept.flatMap((place, at): Retold[] => {
    if (place === null) return []
    const [seq, duplicate] = [Math.abs(place), place < 0]
    const message = stored.get(seq)
    if (message === undefined) return [{ id: messageIdOf(new Uint8Array(16)), seq, duplicate, gone: at }]
    const { uuid, external_id: externalId } = message
    return [{ id: messageIdOf(uuid), seq, ...(externalId === null ? {} : { externalId }), duplicate }]
  })
}

/** Returns the result of an append of so many messages whose session was forgotten since, those that it still had to store too. */
export function retoldAsForgotten(places: readonly Kept[], messages: number): readonly Retold[] {
  // What was the batch cannot be told any more, but its number of messages can.
  if (places.length > messages) throw new IdempotencyReused()
  const id = messageIdOf(new Uint8Array(16))
  return Array.from({ length: messages }, (_, at) => places[at]).flatMap((place, gone): Retold[] =>
    place === null ? [] : [{ id, seq: Math.abs(place ?? 0), duplicate: false, gone }],
  )
}

/** Keeps of a session's appends that they were there, so that none comes again. */
export function forgetAppendsOfSession(partition: number, session: number): Program<void> {
  return run(forgetSession, { partition, session, nothing })
}

/** The same for a whole partition, whose row must still stand. */
export function* forgetAppendsOfPartition(partition: number): Program<void> {
  if ((yield* first(anyOf, { partition })) === undefined) return
  const names = yield* namesOf(partition)
  if (names === undefined) throw lost('partition')
  const gone = goneNumber(yield* storeSecret(), names)
  yield* run(moveTo, { partition, gone, nothing })
  yield* run(dropBeyond, { partition: gone, kept: appendKeys.kept })
}

/** Aligns results with their messages: those that were left out have none. */
function placesOf({ externalIds }: PartOfBatch, results: readonly Appended[]): readonly Kept[] {
  let at = 0
  return externalIds.map((externalId) => {
    const result = results[at]
    if (result === undefined || (externalId !== null && result.externalId !== externalId)) return null
    at += 1
    return result.duplicate ? -result.seq : result.seq
  })
}
