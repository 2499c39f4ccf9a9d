import { sql } from 'kysely'
import { type Program, all, first } from './program.ts'
import type { AssertionTable } from './schema.ts'
import { statement } from './statement.ts'
import { uuidBytes, uuidText } from './uuid-bytes.ts'

// Without statistics SQLite takes a partition for ten rows, and would rather read all of it by the primary key than by an index. So an
// index that has all that is asked for gives the ordinals first.

const byOrds = statement<{ partition: number; ords: string }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', sql<number>`(select value from json_each(${p('ords')}))`))

const ofSlot = statement<{ partition: number; subjects: string; predicate: string }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('subject_key', 'in', sql<string>`(select value from json_each(${p('subjects')}))`).where('predicate_key', '=', p('predicate'))))

const ofSlotAndObject = statement<{ partition: number; subjects: string; predicate: string; objects: string }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('subject_key', 'in', sql<string>`(select value from json_each(${p('subjects')}))`).where('predicate_key', '=', p('predicate'))
    .where('object_key', 'in', sql<string>`(select value from json_each(${p('objects')}))`)))

const correctionsIn = statement<{ partition: number; subjects: string; predicate: string }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('subject_key', 'in', sql<string>`(select value from json_each(${p('subjects')}))`).where('predicate_key', '=', p('predicate'))
    .where('instead_key', 'is not', null).where('instead_key', '>=', '')))

const singleIn = statement<{ partition: number; subjects: string; predicate: string }>()((db, p) =>
  db.selectFrom('assertion').select('ord').where('partition_id', '=', p('partition')).where('subject_key', 'in', sql<string>`(select value from json_each(${p('subjects')}))`)
    .where('predicate_key', '=', p('predicate')).where('single', '=', sql<number>`1`).limit(1))

const ofFact = statement<{ partition: number; fact: Uint8Array }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('fact', '=', p('fact'))))

const newest = statement<{ partition: number; before: number; limit: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', '<', p('before')).orderBy('ord', 'desc').limit(p('limit')))

const recordedAt = statement<{ partition: number; from: number }>()((db, p) =>
  db.selectFrom('assertion').select(['ord', 'recorded_at']).where('partition_id', '=', p('partition')).where('ord', '>=', p('from')).orderBy('ord').limit(1))

const newestOfSubject = statement<{ partition: number; subject: string; before: number; limit: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('subject_key', '=', p('subject'))
    .where('ord', '<', p('before')).orderBy('ord', 'desc').limit(p('limit'))).orderBy('ord', 'desc'))

const newestOfSlot = statement<{ partition: number; subject: string; predicate: string; before: number; limit: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('subject_key', '=', p('subject')).where('predicate_key', '=', p('predicate'))
    .where('ord', '<', p('before')).orderBy('ord', 'desc').limit(p('limit'))).orderBy('ord', 'desc'))

const newestOfStatement = statement<{ partition: number; subject: string; predicate: string; object: string; before: number; limit: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('subject_key', '=', p('subject')).where('predicate_key', '=', p('predicate')).where('object_key', '=', p('object'))
    .where('ord', '<', p('before')).orderBy('ord', 'desc').limit(p('limit'))).orderBy('ord', 'desc'))

const newestOfObject = statement<{ partition: number; object: string; before: number; limit: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('object_key', '=', p('object'))
    .where('ord', '<', p('before')).orderBy('ord', 'desc').limit(p('limit'))).orderBy('ord', 'desc'))

const newestOfPredicate = statement<{ partition: number; predicate: string; before: number; limit: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('predicate_key', '=', p('predicate'))
    .where('ord', '<', p('before')).orderBy('ord', 'desc').limit(p('limit'))).orderBy('ord', 'desc'))

const sourcesOf = statement<{ partition: number; ords: string }>()((db, p) =>
  db.selectFrom('assertion_source').innerJoin('session', 'session.id', 'assertion_source.session_id')
    .innerJoin('message', (join) => join.onRef('message.session_id', '=', 'assertion_source.session_id').onRef('message.seq', '=', 'assertion_source.seq'))
    .select(['assertion_source.ord', 'assertion_source.seq', 'assertion_source.starts', 'assertion_source.ends', 'session.external_id as session', 'message.uuid', 'message.said_at as at',
      sql<string>`substr(message.content, 1, assertion_source.ends)`.as('upTo')])
    .where('assertion_source.partition_id', '=', p('partition')).where('assertion_source.ord', 'in', sql<number>`(select value from json_each(${p('ords')}))`))

const counted = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('assertion').select(sql<number>`count(distinct fact)`.as('facts')).where('partition_id', '=', p('partition')).where('says', '=', sql<number>`0`))

/** Statements of one predicate, of a subject by any of its names (their keys). */
export function rowsOfSlot(partition: number, subjects: readonly string[], predicate: string): Program<readonly AssertionTable[]> {
  return all(ofSlot, { partition, subjects: JSON.stringify(subjects), predicate })
}

/** Of those, the ones about one object, by any of its names. */
export function rowsOfObject(partition: number, subjects: readonly string[], predicate: string, objects: readonly string[]): Program<readonly AssertionTable[]> {
  return all(ofSlotAndObject, { partition, subjects: JSON.stringify(subjects), predicate, objects: JSON.stringify(objects) })
}

/** Of those, the corrections: they are about the object that they replace too. */
export function correctionsOf(partition: number, subjects: readonly string[], predicate: string): Program<readonly AssertionTable[]> {
  return all(correctionsIn, { partition, subjects: JSON.stringify(subjects), predicate })
}

/** Whether a writer took a predicate of a subject for one with a single object at a time. */
export function* isCalledSingle(partition: number, subjects: readonly string[], predicate: string): Program<boolean> {
  return (yield* first(singleIn, { partition, subjects: JSON.stringify(subjects), predicate })) !== undefined
}

export function rowsAt(partition: number, ords: readonly number[]): Program<readonly AssertionTable[]> {
  return all(byOrds, { partition, ords: JSON.stringify(ords) })
}

/** Statements of a fact by its id; none for another partition's. */
export function* rowsOfFact(partition: number, id: string): Program<readonly AssertionTable[]> {
  const fact = uuidBytes(id)
  return fact === undefined ? [] : yield* all(ofFact, { partition, fact })
}

/** What statements are looked through for. */
export interface RowFilter {
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
}

/** Statements before an ordinal, the newest first, of a subject, a predicate or an object where these are given: of several the most telling is looked up. */
export function rowsBefore(partition: number, { subject, predicate, object }: RowFilter, before: number, limit: number): Program<readonly AssertionTable[]> {
  const page = { partition, before, limit }
  if (subject !== undefined && predicate !== undefined && object !== undefined) return all(newestOfStatement, { ...page, subject, predicate, object })
  if (subject !== undefined && predicate !== undefined) return all(newestOfSlot, { ...page, subject, predicate })
  if (object !== undefined) return all(newestOfObject, { ...page, object })
  if (subject !== undefined) return all(newestOfSubject, { ...page, subject })
  return predicate === undefined ? all(newest, page) : all(newestOfPredicate, { ...page, predicate })
}

/** The ordinal before which all statements stand that were recorded up to a time: they are stored in that order. */
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

/** A range of a message, with the words that stand there. */
export interface SourceRow {
  readonly ord: number
  readonly session: string
  readonly message: string
  readonly seq: number
  readonly from: number
  readonly to: number
  readonly text: string
  readonly at: number
}

/** What statements rest on. */
export function* sourcesAt(partition: number, ords: readonly number[]): Program<readonly SourceRow[]> {
  const rows = yield* all(sourcesOf, { partition, ords: JSON.stringify(ords) })
  // SQLite counts characters where we count code units: what it gives is never too short.
  return rows.map(({ ord, session, uuid, seq, starts, ends, at, upTo }) => ({ ord, session, message: uuidText(uuid), seq, from: starts, to: ends, at, text: upTo.slice(starts, ends) }))
}

/** How many facts were ever stated. */
export function* countFacts(partition: number): Program<number> {
  return (yield* first(counted, { partition }))?.facts ?? 0
}
