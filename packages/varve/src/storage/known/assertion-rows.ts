import { findSourceOfKnown } from '../partitions.ts'
import { extractive } from '../../models/writer.ts'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { AssertionTable } from '../known-tables.ts'
import { type Program, all, first } from '../program.ts'
import type { Schema } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'
import { leastSure } from './loose-rows.ts'

// Without statistics SQLite assumes ten rows a partition, and would scan the partition by the primary key instead of an
// index. So a covering index gives the ordinals first.

interface Page {
  readonly partition: number
  readonly before: number
  readonly limit: number
}

type Db = Kysely<Schema>
type Ordinals = SelectQueryBuilder<Schema, 'assertion', { ord: number }>

function ordinalsIn(db: Db, partition: number): Ordinals {
  return db.selectFrom('assertion').select('ord').where('partition_id', '=', partition)
}

function rowsOf(db: Db, partition: number, ordinals: Ordinals | RawBuilder<number>) {
  return db.selectFrom('assertion').selectAll().where('partition_id', '=', partition).where('ord', 'in', ordinals)
}

/** Selects the newest rows before an ordinal. */
function newestOf(db: Db, p: <Name extends keyof Page>(name: Name) => Page[Name], narrowed: (ordinals: Ordinals) => Ordinals) {
  const ordinals = narrowed(ordinalsIn(db, p('partition')))
    .where('ord', '<', p('before'))
    .orderBy('ord', 'desc')
    .limit(p('limit'))
  return rowsOf(db, p('partition'), ordinals).orderBy('ord', 'desc')
}

const byOrds = statement<{ partition: number; ords: string }>()((db, p, d) => rowsOf(db, p('partition'), d.numbers(p('ords'))))

const ofSlots = statement<{ partition: number; subjects: string; predicates: string }>()((db, p, d) =>
  rowsOf(
    db,
    p('partition'),
    ordinalsIn(db, p('partition'))
      .where('subject_key', 'in', d.texts(p('subjects')))
      .where('predicate_key', 'in', d.texts(p('predicates'))),
  ),
)

// The order of the join is fixed: first the requests, then the places of each by an index.
const aboutEach = statement<{ partition: number; asked: string }>()((db, p, d) => {
  const places = db
    .selectFrom(d.entries(p('asked')).as('asked'))
    .crossJoin('assertion')
    .select(['asked.key', 'assertion.ord'])
    .where('partition_id', '=', p('partition'))
    .where('subject_key', '=', sql<string>`asked.value ->> 0`)
    .where('predicate_key', '=', sql<string>`asked.value ->> 1`)
  return places
    .where('object_key', '=', sql<string>`asked.value ->> 2`)
    .unionAll(places.where('instead_key', '=', sql<string>`asked.value ->> 2`))
})

const wholeAmong = statement<{ partition: number; asked: string }>()((db, p, d) => {
  const slot = db
    .selectFrom('assertion')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('subject_key', '=', sql<string>`asked.value ->> 0`)
    .where('predicate_key', '=', sql<string>`asked.value ->> 1`)
  return db
    .selectFrom(d.entries(p('asked')).as('asked'))
    .select('asked.key')
    .where((e) => e.or([e.exists(slot.where('single', '=', sql<number>`1`)), e.exists(slot.where('object_key', '=', sql<string>`''`))]))
})

const ofFact = statement<{ partition: number; fact: Uint8Array }>()((db, p) =>
  rowsOf(db, p('partition'), ordinalsIn(db, p('partition')).where('fact', '=', p('fact'))),
)

const newest = statement<Page>()((db, p) =>
  db
    .selectFrom('assertion')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('ord', '<', p('before'))
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const recordedAt = statement<{ partition: number; from: number }>()((db, p) =>
  db
    .selectFrom('assertion')
    .select(['ord', 'recorded_at'])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>=', p('from'))
    .orderBy('ord')
    .limit(1),
)

const newestOfSubject = statement<Page & { subject: string }>()((db, p) =>
  newestOf(db, p, (found) => found.where('subject_key', '=', p('subject'))),
)

const newestOfSlot = statement<Page & { subject: string; predicate: string }>()((db, p) =>
  newestOf(db, p, (found) => found.where('subject_key', '=', p('subject')).where('predicate_key', '=', p('predicate'))),
)

const newestOfStatement = statement<Page & { subject: string; predicate: string; object: string }>()((db, p) =>
  newestOf(db, p, (found) =>
    found.where('subject_key', '=', p('subject')).where('predicate_key', '=', p('predicate')).where('object_key', '=', p('object')),
  ),
)

const newestOfObject = statement<Page & { object: string }>()((db, p, d) =>
  newestOf(db, p, (found) => found.where(d.sameText('object_key', p('object')))),
)

const newestOfPredicate = statement<Page & { predicate: string }>()((db, p) =>
  newestOf(db, p, (found) => found.where('predicate_key', '=', p('predicate'))),
)

const sourcesOf = statement<{ partition: number; source: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('assertion_source')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'assertion_source.session_id').$call(d.joined('session', p('source'))))
    .innerJoin('message', (join) =>
      join
        .onRef('message.session_id', '=', 'assertion_source.session_id')
        .onRef('message.seq', '=', 'assertion_source.seq')
        .$call(d.joined('message', p('source'))),
    )
    .select([
      'assertion_source.ord',
      'assertion_source.seq',
      'assertion_source.starts',
      'assertion_source.ends',
      'session.external_id as session',
      'message.uuid',
      'message.said_at as at',
      d.beginning(sql`message.content`, sql`assertion_source.ends`).as('upTo'),
    ])
    .where('assertion_source.partition_id', '=', p('partition'))
    .where('assertion_source.ord', 'in', d.numbers(p('ords'))),
)

const counted = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('assertion')
    .select(sql<number>`count(distinct fact)`.as('facts'))
    .where('partition_id', '=', p('partition'))
    .where('says', '=', sql<number>`0`)
    // What was read loosely is no fact unless it ends another statement, or another one ends it.
    .where((e) => {
      const link = e.selectFrom('assertion_end as link').select('link.ord').where('link.partition_id', '=', p('partition'))
      return e.or([
        e('writer', '!=', sql.lit(extractive)),
        e('confidence', '>=', sql.lit(leastSure)),
        e.exists(link.whereRef('link.ended', '=', 'assertion.ord')),
        e.exists(link.whereRef('link.ord', '=', 'assertion.ord')),
      ])
    }),
)

/** Returns the statements of some predicates about a subject, which may have several names (their keys). */
export function rowsOfSlots(
  partition: number,
  subjects: readonly string[],
  predicates: readonly string[],
): Program<readonly AssertionTable[]> {
  return all(ofSlots, { partition, subjects: JSON.stringify(subjects), predicates: JSON.stringify(predicates) })
}

/** A subject and predicate, by their keys. */
export interface Slot {
  readonly subject: string
  readonly predicate: string
}

/** Returns for each request, in order, the ordinals of statements about its object or in place of it. */
export function* ordsAbout(
  partition: number,
  asked: readonly (Slot & { readonly object: string })[],
): Program<readonly (readonly number[])[]> {
  const found = Map.groupBy(
    yield* all(aboutEach, {
      partition,
      asked: JSON.stringify(asked.map(({ subject, predicate, object }) => [subject, predicate, object])),
    }),
    ({ key }) => key,
  )
  return asked.map((_, place) => (found.get(place) ?? []).map(({ ord }) => ord))
}

/**
 * Tells for each slot whether its objects depend on each other. They do when a writer took the predicate for
 * single-valued, or stated that the earlier object ended.
 */
export function* areWhole(partition: number, asked: readonly Slot[]): Program<readonly boolean[]> {
  const found = new Set(
    (yield* all(wholeAmong, { partition, asked: JSON.stringify(asked.map(({ subject, predicate }) => [subject, predicate])) })).map(
      ({ key }) => key,
    ),
  )
  return asked.map((_, place) => found.has(place))
}

export function rowsAt(partition: number, ords: readonly number[]): Program<readonly AssertionTable[]> {
  return all(byOrds, { partition, ords: JSON.stringify(ords) })
}

/** Returns the statements of a fact by its id; none for another partition's fact. */
export function* rowsOfFact(partition: number, id: string): Program<readonly AssertionTable[]> {
  const fact = uuidBytes(id)
  return fact === undefined ? [] : yield* all(ofFact, { partition, fact })
}

/** The filter for statements. */
export interface RowFilter {
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
}

/**
 * Returns statements before an ordinal, the newest first, filtered by subject, predicate or object. The index serves
 * the most selective of these.
 */
export function rowsBefore(
  partition: number,
  { subject, predicate, object }: RowFilter,
  before: number,
  limit: number,
): Program<readonly AssertionTable[]> {
  const page = { partition, before, limit }
  if (subject !== undefined && predicate !== undefined && object !== undefined)
    return all(newestOfStatement, { ...page, subject, predicate, object })
  if (subject !== undefined && predicate !== undefined) return all(newestOfSlot, { ...page, subject, predicate })
  if (object !== undefined) return all(newestOfObject, { ...page, object })
  if (subject !== undefined) return all(newestOfSubject, { ...page, subject })
  return predicate === undefined ? all(newest, page) : all(newestOfPredicate, { ...page, predicate })
}

/** Returns the ordinal before which all statements up to a recording time stand: they are stored in that order. */
export function* recordedUpTo(partition: number, time: number): Program<number> {
  const last = (yield* all(newest, { partition, before: Number.MAX_SAFE_INTEGER, limit: 1 }))[0]
  if (last === undefined || last.recorded_at <= time) return Number.MAX_SAFE_INTEGER
  let [from, to] = [0, last.ord]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const row = yield* first(recordedAt, { partition, from: middle })
    if (row !== undefined && row.recorded_at <= time) from = row.ord + 1
    else to = middle
  }
  return from
}

/** The source of a fact: characters [from, to) of a message's content, and the text there. */
export interface FactSource {
  readonly session: string
  /** Id of the message. */
  readonly message: string
  /** Its place in its session. */
  readonly seq: number
  readonly from: number
  readonly to: number
  readonly text: string
  /** The time when it was said: UTC milliseconds. */
  readonly at: number
}

/** Returns the sources of statements, by their ordinals. */
export function* sourcesAt(partition: number, ords: readonly number[]): Program<ReadonlyMap<number, readonly FactSource[]>> {
  return yield* sourcesIn((yield* findSourceOfKnown(partition))?.id ?? 0, partition, ords)
}

/** Returns the same where the partition is known from whose messages the statements were read. */
export function* sourcesIn(
  source: number,
  partition: number,
  ords: readonly number[],
): Program<ReadonlyMap<number, readonly FactSource[]>> {
  const sources = new Map<number, FactSource[]>()
  for (const { ord, session, uuid, seq, starts, ends, at, upTo } of yield* all(sourcesOf, {
    partition,
    source,
    ords: JSON.stringify(ords),
  })) {
    // SQLite counts characters where JavaScript counts code units, so its prefix is never too short.
    const source = { session, message: uuidText(uuid), seq, from: starts, to: ends, text: copied(upTo.slice(starts, ends)), at }
    sources.set(ord, [...(sources.get(ord) ?? []), source])
  }
  return sources
}

/**
 * Copies a slice of a text. V8 keeps the whole message in memory for as long as a slice lives: 500 MB for 1,000 facts
 * of one message of 1 MiB.
 */
function copied(slice: string): string {
  return Buffer.from(slice, 'utf16le').toString('utf16le')
}

/** Counts the facts that were ever stated. */
export function* countFacts(partition: number): Program<number> {
  return (yield* first(counted, { partition }))?.facts ?? 0
}
