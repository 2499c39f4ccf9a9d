import { createHmac } from 'node:crypto'
import { IdempotencyReused } from '../../errors/idempotency-reused.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import type { AppendKeyTable } from '../door-tables.ts'
import { lost } from '../lost.ts'
import { findPartition } from '../partitions.ts'
import { all, first, type Program, run } from '../program.ts'
import { statement } from '../statement.ts'
import { type Appended, messageIdOf } from './messages.ts'
import { findSessionRow } from './sessions.ts'

/** The time for which an append may be sent again under its key, and the most keys of a partition that are kept. */
export const appendKeys = { keptMs: 24 * 3_600_000, kept: 10_000 } as const

/** An append that may be sent again: hashes of its key and of its batch. */
export interface Once {
  readonly digest: Uint8Array
  readonly request: Uint8Array
}

/** The message of a batch as it was stored: its place in the session, below 0 for a duplicate; null for one that was left out. */
type Kept = number | null

/** A result of an append that was sent before. `gone` is the place in the batch of a message that was forgotten since. */
export interface Retold extends Appended {
  readonly gone?: number
}

const find = statement<{ partition: number; digest: Uint8Array }>()((db, p) =>
  db.selectFrom('append_key').selectAll().where('partition_id', '=', p('partition')).where('digest', '=', p('digest')),
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

const dropOld = statement<{ before: number }>()((db, p) => db.deleteFrom('append_key').where('recorded_at', '<', p('before')))

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

const dropOfSession = statement<{ session: number }>()((db, p) => db.deleteFrom('append_key').where('session_id', '=', p('session')))

const dropOfPartition = statement<{ partition: number }>()((db, p) =>
  db.deleteFrom('append_key').where('partition_id', '=', p('partition')),
)

const bySeqs = statement<{ session: number; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['uuid', 'seq', 'external_id'])
    .where('session_id', '=', p('session'))
    .where('seq', 'in', d.numbers(p('seqs'))),
)

/** Returns the hashes of an append. That of the batch is keyed by the idempotency key, so that it says nothing of the words. */
export function onceOf(secret: string, key: string, session: SessionName, batch: Iterable<readonly unknown[]>): Once {
  const keyed = createHmac('sha256', secret).update('varve: an append that may be sent again\0').update(key).digest()
  const request = createHmac('sha256', keyed).update(JSON.stringify(session))
  for (const fields of batch) request.update(JSON.stringify(fields))
  return { digest: createHmac('sha256', keyed).update('key').digest(), request: request.digest() }
}

/**
 * Returns how the messages of an append that was sent before were stored; undefined when there was none. Throws
 * IdempotencyReused for another batch.
 */
export function* keptOf(partition: PartitionId, { digest, request }: Once, now: number): Program<readonly Kept[] | undefined> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* first(find, { partition: owner.id, digest })
  if (row === undefined || row.recorded_at < now - appendKeys.keptMs) return undefined
  if (Buffer.compare(row.request, request) !== 0) throw new IdempotencyReused()
  const kept: readonly Kept[] = JSON.parse(row.ords)
  return kept
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
  yield* run(dropOld, { before: now - appendKeys.keptMs })
  const kept = (yield* keptOf(partition, once, now)) ?? []
  if (kept.length > part.before) return undefined
  const results = yield* store()
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  // A batch of nothing but forgotten messages makes neither.
  if (owner === undefined || row === undefined) return results
  const before = [...kept, ...Array.from({ length: part.before - kept.length }, () => null)]
  const ords = JSON.stringify([...before, ...placesOf(part, results)])
  yield* run(put, { partition_id: owner.id, session_id: row.id, ...once, ords, recorded_at: now })
  if (kept.length === 0) yield* run(dropBeyond, { partition: owner.id, kept: appendKeys.kept })
  return results
}

/** Returns the result of an append that was sent before, from the messages as they are now. */
export function* retold(partition: PartitionId, session: SessionName, kept: readonly Kept[]): Program<readonly Retold[]> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) throw lost('session')
  const seqs = JSON.stringify(kept.flatMap((seq) => (seq === null ? [] : [Math.abs(seq)])))
  const stored = new Map((yield* all(bySeqs, { session: row.id, seqs })).map((one) => [one.seq, one]))
  return kept.flatMap((place, at): Retold[] => {
    if (place === null) return []
    const [seq, duplicate] = [Math.abs(place), place < 0]
    const message = stored.get(seq)
    if (message === undefined) return [{ id: messageIdOf(new Uint8Array(16)), seq, duplicate, gone: at }]
    const { uuid, external_id: externalId } = message
    return [{ id: messageIdOf(uuid), seq, ...(externalId === null ? {} : { externalId }), duplicate }]
  })
}

export function dropAppendKeysOfSession(session: number): Program<void> {
  return run(dropOfSession, { session })
}

export function dropAppendKeysOfPartition(partition: number): Program<void> {
  return run(dropOfPartition, { partition })
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
