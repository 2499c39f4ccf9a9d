import type { PartitionId } from '../../scope/partition.ts'
import { type PartitionRow, findPartition } from '../partitions.ts'
import { type Program, type SingleStep, all, change, first } from '../program.ts'
import type { Schema } from '../schema.ts'
import { statement } from '../statement.ts'

/** A message for the index: its place, its time, and its terms in the index's own encoding. */
export interface TermsRow {
  readonly ord: number
  readonly session_id: number
  readonly seq: number
  readonly said_at: number
  /** Its traits in a byte (index/traits.ts). */
  readonly traits: number
  /** The terms are bodies[from, to): making a view for each message would take longer than reading it. */
  readonly bodies: Uint8Array
  readonly from: number
  readonly to: number
}

/** Some ordinals of a partition, as JSON. */
export interface Ordinals {
  readonly partition: number
  readonly ords: string
}

interface TermsPage {
  readonly bodies: Uint8Array | null
  readonly numbers: string | null
}

/** The columns that are read of each message beside its terms. */
const columns = ['ord', 'session_id', 'seq', 'said_at', 'length(body)', 'traits']

/**
 * A page of rows as one: the bodies end to end, the numbers as a list. Row by row, the driver took three times as long
 * (200 ms for 100,000). A body has no zero byte (index/terms-codec.ts), so SQLite may treat it as text.
 */
const after = statement<{ partition: number; ord: number; limit: number }>()((db, p, d) => {
  const page = db
    .selectFrom('message_terms')
    .select(['ord', 'session_id', 'seq', 'said_at', 'body', 'traits'])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>', p('ord'))
    .orderBy('ord')
    .limit(p('limit'))
    .as('page')
  return db.selectFrom(page).select([d.joinedBytes('body', 'ord').as('bodies'), d.joinedNumbers(columns, 'ord').as('numbers')])
})

const sizesBackwards = statement<{ partition: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('message_terms')
    .select(['ord', (e) => e.fn<number>('length', ['body']).as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('ord', '<', p('before'))
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const insert = statement<Schema['message_terms']>()((db, p) =>
  db
    .insertInto('message_terms')
    .values({
      partition_id: p('partition_id'),
      ord: p('ord'),
      session_id: p('session_id'),
      seq: p('seq'),
      said_at: p('said_at'),
      body: p('body'),
      traits: p('traits'),
    }),
)

const bodiesAt = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('message_terms')
    .select(['ord', 'body'])
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const dropAt = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('message_terms')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

/**
 * The fixed part of stored terms before and after the speaker's name: the same in all of a person's messages, and in
 * all derived items.
 */
export const termsHeaderBytes = 10

/** Returns the step that stores the terms of a message, an item or an assertion. */
export function termsChange(row: Schema['message_terms']): SingleStep {
  return change(insert, row)
}

/** Returns the terms at some ordinals, by ordinal. */
export function* termsAt(ordinals: Ordinals): Program<ReadonlyMap<number, Uint8Array>> {
  return new Map((yield* all(bodiesAt, ordinals)).map(({ ord, body }) => [ord, body]))
}

export function termsDrop(ordinals: Ordinals): SingleStep {
  return change(dropAt, ordinals)
}

/** Returns the partition's state. A reader compares it to see which rows it lacks. */
export function partitionState(partition: PartitionId): Program<PartitionRow | undefined> {
  return findPartition(partition)
}

/** Returns the terms of the messages after an ordinal, in order, at most `limit`. */
export function* termsAfter(partition: number, ord: number, limit: number): Program<readonly TermsRow[]> {
  const page = yield* first(after, { partition, ord, limit })
  return page === undefined ? [] : rowsOf(page)
}

function rowsOf(page: TermsPage): TermsRow[] {
  // The store itself has just written these numbers, so they need no check.
  const numbers: number[] = JSON.parse(`[${page.numbers ?? ''}]`)
  const bodies = page.bodies ?? new Uint8Array(0)
  const rows: TermsRow[] = []
  let to = 0
  for (let at = 0; at < numbers.length; at += columns.length) {
    const from = to
    to += numbers[at + 4] ?? 0
    rows.push({
      ord: numbers[at] ?? 0,
      session_id: numbers[at + 1] ?? 0,
      seq: numbers[at + 2] ?? 0,
      said_at: numbers[at + 3] ?? 0,
      traits: numbers[at + 5] ?? 0,
      bodies,
      from,
      to,
    })
  }
  return rows
}

/** Returns the sizes of stored terms, from the newest back. */
export function termSizes(partition: number, before: number, limit: number): Program<readonly { ord: number; bytes: number }[]> {
  return all(sizesBackwards, { partition, before, limit })
}
