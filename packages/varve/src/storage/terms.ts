import { sql } from 'kysely'
import type { PartitionId } from '../scope/partition.ts'
import { type PartitionRow, findPartition } from './partitions.ts'
import { type Program, all, first } from './program.ts'
import { statement } from './statement.ts'

/** A message as the index sees it: its place, its time, and its terms in the index's own encoding. */
export interface TermsRow {
  readonly ord: number
  readonly session_id: number
  readonly seq: number
  readonly said_at: number
  readonly body: Uint8Array
}

interface TermsPage {
  readonly bodies: Uint8Array | null
  readonly ords: string
  readonly sessions: string
  readonly seqs: string
  readonly times: string
  readonly lengths: string
}

/**
 * A page of rows as one: the bodies end to end, the numbers as JSON. Handing rows over one by one took four times as
 * long (200 ms for 100,000). A body has no zero byte (index/terms-codec.ts), so that SQLite may take it for text.
 */
const after = statement<{ partition: number; ord: number; limit: number }>()((db, p) => {
  const page = db.selectFrom('message_terms').select(['ord', 'session_id', 'seq', 'said_at', 'body'])
    .where('partition_id', '=', p('partition')).where('ord', '>', p('ord')).orderBy('ord').limit(p('limit')).as('page')
  const list = (column: string) => sql<string>`json_group_array(${sql.raw(column)})`
  return db.selectFrom(page).select([
    sql<Uint8Array | null>`cast(group_concat(cast(body as text), '') as blob)`.as('bodies'),
    list('ord').as('ords'), list('session_id').as('sessions'), list('seq').as('seqs'), list('said_at').as('times'), list('length(body)').as('lengths'),
  ])
})

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
export function* termsAfter(partition: number, ord: number, limit: number): Program<readonly TermsRow[]> {
  const page = yield* first(after, { partition, ord, limit })
  return page === undefined ? [] : rowsOf(page)
}

function rowsOf(page: TermsPage): TermsRow[] {
  // The store's own numbers, as it has just written them.
  const [ords, sessions, seqs, times, lengths] = [page.ords, page.sessions, page.seqs, page.times, page.lengths].map((json) => JSON.parse(json) as number[])
  const bodies = page.bodies ?? new Uint8Array(0)
  let to = 0
  return (ords ?? []).map((ord, place) => {
    const from = to
    to += lengths?.[place] ?? 0
    return { ord, session_id: sessions?.[place] ?? 0, seq: seqs?.[place] ?? 0, said_at: times?.[place] ?? 0, body: bodies.subarray(from, to) }
  })
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
