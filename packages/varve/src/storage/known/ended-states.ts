import { findKnownOf, findSourceOfKnown } from '../partitions.ts'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Span } from '../../lineage/span.ts'
import type { AssertionTable } from '../known-tables.ts'
import { type Program, all } from '../program.ts'
import type { Schema } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'
import type { Slot } from './assertion-rows.ts'
import { anyPredicate } from './assertions.ts'

/** Reasons why a statement may no longer hold, by the statements beside it. */
interface Flags {
  /** 1 when there are other statements of its object, or of an object that nobody named. They may end it. */
  readonly is_repeated: number
  /** 1 when another object was said in its place. */
  readonly is_corrected: number
  /** 1 when its subject and predicate have another object. */
  readonly is_contested: number
  /** 1 when a writer took its predicate for single-valued. */
  readonly is_single: number
  /** 1 when a later statement ended it in other words, or ends without a predicate were said about its subject. */
  readonly is_linked: number
}

/** The columns by which a statement is compared: not all of them, since most statements are only looked at. */
export type StatedKeys = Pick<
  AssertionTable,
  'partition_id' | 'ord' | 'says' | 'predicate' | 'object' | 'subject_key' | 'predicate_key' | 'object_key' | 'valid_until' | 'said_at'
>

/** A statement, and the characters [starts, ends) of the message on which it rests. */
export interface CitedRow extends StatedKeys, Flags {
  readonly session: string
  readonly seq: number
  readonly starts: number
  readonly ends: number
}

type Stated = ExpressionBuilder<Schema & { stated: AssertionTable }, 'stated'>

/** Selects the statements of the same subject and predicate. */
function others(e: Stated) {
  return e
    .selectFrom('assertion as other')
    .select('other.ord')
    .whereRef('other.partition_id', '=', 'stated.partition_id')
    .whereRef('other.subject_key', '=', 'stated.subject_key')
    .whereRef('other.predicate_key', '=', 'stated.predicate_key')
}

// The order of the join is fixed: first the messages that are asked about, then the sources in them. The order of the
// rows is that of the states in an answer, on every engine.
const citing = statement<{ source: number; known: number; asked: string; limit: number }>()((db, p, d) =>
  db
    .selectFrom(d.entries(p('asked')).as('asked'))
    .crossJoin('session')
    .crossJoin('assertion_source as source')
    .select(['session.external_id as session', 'source.partition_id as known', 'source.ord', 'source.seq', 'source.starts', 'source.ends'])
    .where('session.partition_id', '=', p('source'))
    .where('session.external_id', '=', sql<string>`asked.value ->> 0`)
    .whereRef('source.session_id', '=', 'session.id')
    .$call(d.within(p('known'), 'source'))
    .where('source.seq', '>=', sql<number>`${sql.raw(d.integer('asked.value ->> 1'))}`)
    .where('source.seq', '<=', sql<number>`${sql.raw(d.integer('asked.value ->> 2'))}`)
    .orderBy(sql`asked.key`)
    .orderBy('source.seq')
    .orderBy('source.ord')
    .orderBy('source.starts')
    .limit(p('limit')),
)

// Each condition is a look into an index that ends at the first row.
const flagged = statement<{ partition: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('assertion as stated')
    .select([
      'stated.partition_id',
      'stated.ord',
      'stated.says',
      'stated.predicate',
      'stated.object',
      'stated.subject_key',
      'stated.predicate_key',
      'stated.object_key',
      'stated.valid_until',
      'stated.said_at',
    ])
    .select((e) => {
      const same = others(e).$call(d.within(p('partition'), 'other'))
      const again = same.whereRef('other.object_key', '=', 'stated.object_key').whereRef('other.ord', '<>', 'stated.ord')
      const linked = e
        .selectFrom('assertion_end as link')
        .select('link.ord')
        .whereRef('link.partition_id', '=', 'stated.partition_id')
        .whereRef('link.ended', '=', 'stated.ord')
        .$call(d.within(p('partition'), 'link'))
      const open = e
        .selectFrom('assertion as open')
        .select('open.ord')
        .whereRef('open.partition_id', '=', 'stated.partition_id')
        .whereRef('open.subject_key', '=', 'stated.subject_key')
        .where('open.predicate_key', '=', sql<string>`${sql.lit(anyPredicate)}`)
        .$call(d.within(p('partition'), 'open'))
      const unnamed = same.where('other.object_key', '=', sql<string>`''`)
      return [
        d.flag(sql`(${e.exists(again)} or ${e.exists(unnamed)})`).as('is_repeated'),
        d.flag(sql`${e.exists(same.whereRef('other.instead_key', '=', 'stated.object_key'))}`).as('is_corrected'),
        d.flag(sql`${e.exists(same.whereRef('other.object_key', '<>', 'stated.object_key'))}`).as('is_contested'),
        d.flag(sql`${e.exists(same.where('other.single', '=', sql<number>`1`))}`).as('is_single'),
        d.flag(sql`(${e.exists(linked)} or ${e.exists(open)})`).as('is_linked'),
      ]
    })
    .where('stated.partition_id', '=', p('partition'))
    .where('stated.ord', 'in', d.numbers(p('ords')))
    .where('stated.withdrawn_at', 'is', null),
)

// A covering index gives the ordinals first (assertion-rows.ts).
const endedAmong = statement<{ partition: number; asked: string }>()((db, p, d) => {
  const about = db
    .selectFrom('assertion')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('subject_key', '=', sql<string>`asked.value ->> 0`)
    .where('predicate_key', '=', sql<string>`asked.value ->> 1`)
    .where('object_key', '=', sql<string>`asked.value ->> 2`)
  const end = db
    .selectFrom('assertion as end')
    .select('end.ord')
    .where('end.partition_id', '=', p('partition'))
    .where('end.ord', 'in', about)
    .where('end.says', '>', sql<number>`0`)
  return db
    .selectFrom(d.entries(p('asked')).as('asked'))
    .select('asked.key')
    .where((e) => e.exists(end))
})

const inSlots = statement<{ partition: number; asked: string }>()((db, p, d) => {
  const slot = db
    .selectFrom('assertion')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('subject_key', '=', sql<string>`asked.value ->> 0`)
    .where('predicate_key', '=', sql<string>`asked.value ->> 1`)
  return db
    .selectFrom(d.entries(p('asked')).as('asked'))
    .select('asked.key')
    .where((e) => e.exists(slot))
})

const placed = statement<{ partition: number; home: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('assertion_source as source')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'source.session_id').$call(d.joined('session', p('home'))))
    .innerJoin('message', (join) =>
      join
        .onRef('message.session_id', '=', 'source.session_id')
        .onRef('message.seq', '=', 'source.seq')
        .$call(d.joined('message', p('home'))),
    )
    .select([
      'source.ord',
      'source.seq',
      'source.starts',
      'source.ends',
      'session.external_id as session',
      'message.uuid',
      'message.ord as message',
      'message.said_at as at',
    ])
    .where('source.partition_id', '=', p('partition'))
    .where('source.ord', 'in', d.numbers(p('ords'))),
)

/** The numbers of a partition of messages and of its known partition, where that was looked up already. */
export interface TalkAndFacts {
  readonly source: number
  readonly known: number | undefined
}

/**
 * Returns the statements that rest on some messages of a partition, at most `limit`, one for each place. Withdrawn ones
 * are left out.
 */
export function* citedRows(talk: number | TalkAndFacts, spans: readonly Span[], limit: number): Program<readonly CitedRow[]> {
  const { source, known } = typeof talk === 'number' ? { source: talk, known: (yield* findKnownOf(talk))?.id } : talk
  if (known === undefined) return []
  const asked = JSON.stringify(spans.map(({ session, from, to }) => [session, from, to]))
  const places = yield* all(citing, { source, known, asked, limit })
  const [first] = places
  if (first === undefined) return []
  const ords = JSON.stringify([...new Set(places.map(({ ord }) => ord))])
  const rows = new Map((yield* all(flagged, { partition: first.known, ords })).map((row) => [row.ord, row]))
  // Spans may overlap.
  const once = new Map(places.map((place) => [JSON.stringify([place.ord, place.session, place.seq, place.starts]), place]))
  return [...once.values()].flatMap(({ ord, session, seq, starts, ends }) => {
    const row = rows.get(ord)
    return row === undefined ? [] : [{ ...row, session, seq, starts, ends }]
  })
}

/** Tells for each subject and predicate whether anything was stated of them. */
export function* areStated(partition: number, asked: readonly Slot[]): Program<readonly boolean[]> {
  const rows = yield* all(inSlots, { partition, asked: JSON.stringify(asked.map(({ subject, predicate }) => [subject, predicate])) })
  const found = new Set(rows.map(({ key }) => key))
  return asked.map((_, place) => found.has(place))
}

/** Tells for each subject, predicate and object whether anything was said to end it. */
export function* areEnded(partition: number, asked: readonly (Slot & { readonly object: string })[]): Program<readonly boolean[]> {
  const keys = asked.map(({ subject, predicate, object }) => [subject, predicate, object])
  const found = new Set((yield* all(endedAmong, { partition, asked: JSON.stringify(keys) })).map(({ key }) => key))
  return asked.map((_, place) => found.has(place))
}

/** The place in the talk at which something was stated. */
export interface StatedPlace {
  readonly session: string
  readonly seq: number
  /** Id of the message, and its ordinal. */
  readonly id: string
  readonly ord: number
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Returns the newest place of each statement, by its ordinal. A statement that a person added by hand may have none. */
export function* statedPlaces(partition: number, ords: readonly number[]): Program<Map<number, StatedPlace>> {
  const places = new Map<number, StatedPlace>()
  if (ords.length === 0) return places
  const home = (yield* findSourceOfKnown(partition))?.id ?? 0
  for (const { ord, uuid, message, starts, ends, ...said } of yield* all(placed, { partition, home, ords: JSON.stringify(ords) })) {
    const place = { ...said, id: uuidText(uuid), ord: message, from: starts, to: ends }
    const before = places.get(ord)
    if (before === undefined || before.at < place.at || (before.at === place.at && before.ord < place.ord)) places.set(ord, place)
  }
  return places
}
