import type { PartitionId } from '../scope/partition.ts'
import { type PartitionRow, findPartition } from './partitions.ts'
import { type Program, all } from './program.ts'
import { statement } from './statement.ts'

/** A message as the index sees it: its place, its time, and its terms in the index's own encoding. */
export interface TermsRow {
  readonly ord: number
  readonly session_id: number
  readonly seq: number
  readonly said_at: number
  readonly body: Uint8Array
}

const after = statement<{ partition: number; ord: number; limit: number }>()((db, p) =>
  db.selectFrom('message_terms').select(['ord', 'session_id', 'seq', 'said_at', 'body'])
    .where('partition_id', '=', p('partition')).where('ord', '>', p('ord')).orderBy('ord').limit(p('limit')))

const sizesBackwards = statement<{ partition: number; before: number; limit: number }>()((db, p) =>
  db.selectFrom('message_terms').select(['ord', (e) => e.fn<number>('length', ['body']).as('bytes')])
    .where('partition_id', '=', p('partition')).where('ord', '<', p('before')).orderBy('ord', 'desc').limit(p('limit')))

const erasedSince = statement<{ partition: number; epoch: number }>()((db, p) =>
  db.selectFrom('tombstone').select(['ord']).where('partition_id', '=', p('partition')).where('epoch', '>', p('epoch')))

/** The partition's state, by which a reader knows what it lacks. */
export function partitionState(partition: PartitionId): Program<PartitionRow | undefined> {
  return findPartition(partition)
}

/** Terms of the messages after an ordinal, in order, at most `limit`. */
export function termsAfter(partition: number, ord: number, limit: number): Program<readonly TermsRow[]> {
  return all(after, { partition, ord, limit })
}

/** Sizes of stored terms, from the newest back. */
export function termSizes(partition: number, before: number, limit: number): Program<readonly { ord: number; bytes: number }[]> {
  return all(sizesBackwards, { partition, before, limit })
}

/** Ordinals that were erased or replaced since an epoch. */
export function* erasedAfter(partition: number, epoch: number): Program<readonly number[]> {
  const rows = yield* all(erasedSince, { partition, epoch })
  return rows.map((row) => row.ord)
}
