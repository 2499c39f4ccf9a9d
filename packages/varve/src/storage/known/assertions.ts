import { sql } from 'kysely'
import { uuidv7 } from '../../ids/uuid.ts'
import type { AssertionSourceTable, AssertionTable } from '../known-tables.ts'
import { leastTelling } from '../needles.ts'
import type { PartitionRow } from '../partitions.ts'
import { type Program, all, first, run } from '../program.ts'
import { statement } from '../statement.ts'
import { eraseTerms, leaveTombstone, storeTerms, termsHeaderBytes } from '../segment/terms.ts'
import { uuidBytes } from '../uuid-bytes.ts'
import { eraseVectors } from '../segment/vectors.ts'

/** What an assertion says, as it is stored. */
export const says = { is: 0, ends: 1, wrong: 2 } as const

/** Characters [from, to) of a message, by its session's number. */
export interface SourceRange {
  readonly session: number
  readonly seq: number
  readonly from: number
  readonly to: number
}

/** An assertion to be stored, with what the index needs of it. */
export interface NewAssertion {
  readonly says: keyof typeof says
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly subjectKey: string
  readonly predicateKey: string
  readonly objectKey: string
  readonly insteadKey: string | null
  readonly validFrom: number | null
  readonly validUntil: number | null
  readonly saidAt: number
  readonly confidence: number
  readonly single: boolean
  readonly phrase: string | null
  readonly whenFrom: number | null
  readonly whenTo: number | null
  /** Ids of facts. */
  readonly dependsOn: readonly string[]
  readonly writer: string
  /** The session that it was read from; 0 for what was added by hand. */
  readonly session: number
  readonly sources: readonly SourceRange[]
  readonly terms: Uint8Array
  readonly traits: number
}

const insert = statement<AssertionTable>()((db, p) =>
  db.insertInto('assertion').values({
    partition_id: p('partition_id'), ord: p('ord'), fact: p('fact'), says: p('says'), subject: p('subject'), predicate: p('predicate'), object: p('object'),
    subject_key: p('subject_key'), predicate_key: p('predicate_key'), object_key: p('object_key'), instead_key: p('instead_key'), valid_from: p('valid_from'),
    valid_until: p('valid_until'), said_at: p('said_at'), recorded_at: p('recorded_at'), withdrawn_at: p('withdrawn_at'), confidence: p('confidence'), single: p('single'),
    phrase: p('phrase'), when_from: p('when_from'), when_to: p('when_to'), depends_on: p('depends_on'), writer: p('writer'), session_id: p('session_id'),
  }))

const insertSource = statement<AssertionSourceTable>()((db, p) =>
  db.insertInto('assertion_source').values({ session_id: p('session_id'), seq: p('seq'), partition_id: p('partition_id'), ord: p('ord'), starts: p('starts'), ends: p('ends') })
    .onConflict((c) => c.doNothing()))

const sameFact = statement<{ partition: number; subject: string; predicate: string; object: string }>()((db, p) =>
  db.selectFrom('assertion').select('fact').where('partition_id', '=', p('partition')).where('ord', 'in', db.selectFrom('assertion').select('ord')
    .where('partition_id', '=', p('partition')).where('subject_key', '=', p('subject')).where('predicate_key', '=', p('predicate')).where('object_key', '=', p('object')).limit(1)))

const ofSession = statement<{ session: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('session_id', '=', p('session')).where('session_id', '>', sql<number>`0`))

const citing = statement<{ session: number }>()((db, p) =>
  db.selectFrom('assertion_source').selectAll().where('session_id', '=', p('session')))

const sourceCount = statement<{ partition: number; ord: number }>()((db, p) =>
  db.selectFrom('assertion_source').select((e) => e.fn.countAll<number>().as('sources')).where('partition_id', '=', p('partition')).where('ord', '=', p('ord')))

const saidBefore = statement<{ partition: number; before: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')).where('session_id', '=', sql<number>`0`).where('said_at', '<', p('before'))
    .where('says', '=', sql<number>`0`).where('instead_key', 'is', null)
    .where((e) => e.not(e.exists(e.selectFrom('assertion_source').select('assertion_source.ord').whereRef('assertion_source.partition_id', '=', 'assertion.partition_id').whereRef('assertion_source.ord', '=', 'assertion.ord')))))

const allOf = statement<{ partition: number }>()((db, p) => db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')))

const remove = statement<{ partition: number; ord: number }>()((db, p) => db.deleteFrom('assertion').where('partition_id', '=', p('partition')).where('ord', '=', p('ord')))

const removeSources = statement<{ partition: number; ord: number }>()((db, p) => db.deleteFrom('assertion_source').where('partition_id', '=', p('partition')).where('ord', '=', p('ord')))

const removeSourcesIn = statement<{ partition: number; ord: number; session: number; seq: number }>()((db, p) =>
  db.deleteFrom('assertion_source').where('partition_id', '=', p('partition')).where('ord', '=', p('ord')).where('session_id', '=', p('session')).where('seq', '=', p('seq')))

const withdraw = statement<{ partition: number; ord: number; now: number }>()((db, p) =>
  db.updateTable('assertion').set({ withdrawn_at: p('now') }).where('partition_id', '=', p('partition')).where('ord', '=', p('ord')))

const lastRecorded = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('assertion').select('recorded_at').where('partition_id', '=', p('partition')).orderBy('ord', 'desc').limit(1))

/** When something is recorded now: never before what was. */
export function* recordingTime({ id }: PartitionRow, now: number): Program<number> {
  return Math.max(now, (yield* first(lastRecorded, { partition: id }))?.recorded_at ?? now)
}

/** Stores an assertion at its partition's newest ordinal; gives back its fact's id. `owner` is changed, to be saved. No statement is recorded before another that was stored before it, were the clock set back: what was believed at a time is a beginning of all. */
export function* storeAssertion(owner: PartitionRow, one: NewAssertion, now: number): Program<{ ord: number; fact: Uint8Array }> {
  const fact = (yield* first(sameFact, { partition: owner.id, subject: one.subjectKey, predicate: one.predicateKey, object: one.objectKey }))?.fact ?? uuidBytes(uuidv7(now))
  if (fact === undefined) throw new TypeError('a new id is no uuid')
  const recorded = yield* recordingTime(owner, now)
  owner.seq += 1
  const ord = owner.seq
  yield* run(insert, {
    partition_id: owner.id, ord, fact, says: says[one.says], subject: one.subject, predicate: one.predicate, object: one.object, subject_key: one.subjectKey,
    predicate_key: one.predicateKey, object_key: one.objectKey, instead_key: one.insteadKey, valid_from: one.validFrom, valid_until: one.validUntil, said_at: one.saidAt,
    recorded_at: recorded, withdrawn_at: null, confidence: one.confidence, single: Number(one.single), phrase: one.phrase, when_from: one.whenFrom, when_to: one.whenTo,
    depends_on: JSON.stringify(one.dependsOn), writer: one.writer, session_id: one.session,
  })
  for (const { session, seq, from, to } of one.sources) yield* run(insertSource, { session_id: session, seq, partition_id: owner.id, ord, starts: from, ends: to })
  if (one.says !== 'is') return { ord, fact }
  owner.messages += 1
  owner.term_bytes += one.terms.length
  // To the index each is a talk of its own: what was said beside it has nothing to do with it.
  yield* storeTerms({ partition_id: owner.id, ord, session_id: -ord, seq: ord, said_at: one.saidAt, body: one.terms, traits: one.traits })
  return { ord, fact }
}

/** Takes an assertion out with all that is made of it; gives back its bytes. `owner` is changed, its epoch already raised; to be saved. */
export function* eraseAssertion(owner: PartitionRow, row: AssertionTable): Program<readonly Uint8Array[]> {
  const key = { partition: owner.id, ord: row.ord }
  yield* run(remove, key)
  yield* run(removeSources, key)
  const terms = yield* eraseTerms(owner.id, row.ord)
  const vectors = yield* eraseVectors(owner.id, row.ord)
  yield* leaveTombstone(owner.id, owner.epoch, row.ord)
  if (row.says === says.is) owner.messages -= 1
  owner.term_bytes -= terms?.length ?? 0
  // The keys too: what an index's page is left with after balancing is folded, and nothing like the words as they were said.
  const texts = [row.subject, row.predicate, row.object, row.phrase ?? '', row.subject_key, row.predicate_key, row.object_key, row.instead_key ?? ''].map((text) => new TextEncoder().encode(text))
  return [...texts, ...(terms === undefined ? [] : [terms.subarray(termsHeaderBytes)])].filter(({ length }) => length >= leastTelling).concat(vectors)
}

/** Has a reading of the same messages count in an assertion's place from now on. */
export function withdrawAssertion({ partition_id: partition, ord }: AssertionTable, now: number): Program<void> {
  return run(withdraw, { partition, ord, now })
}

/** What was read from a session. */
export function assertionsOfSession(session: number): Program<readonly AssertionTable[]> {
  return all(ofSession, { session })
}

/** Ranges of a session's messages on which assertions rest. */
export function citationsOf(session: number): Program<readonly AssertionSourceTable[]> {
  return all(citing, { session })
}

/** Takes a message from what an assertion rests on; gives back how many ranges are left. */
export function* dropCitation({ partition_id: partition, ord, session_id: session, seq }: AssertionSourceTable): Program<number> {
  yield* run(removeSourcesIn, { partition, ord, session, seq })
  return yield* countSources({ partition_id: partition, ord })
}

/** On how many ranges an assertion rests. */
export function* countSources({ partition_id: partition, ord }: Pick<AssertionSourceTable, 'partition_id' | 'ord'>): Program<number> {
  return (yield* first(sourceCount, { partition, ord }))?.sources ?? 0
}

/** What was added by hand before a time and rests on no message; what a person made of something goes with that. */
export function addedBefore(partition: number, before: number): Program<readonly AssertionTable[]> {
  return all(saidBefore, { partition, before })
}

export function allAssertions(partition: number): Program<readonly AssertionTable[]> {
  return all(allOf, { partition })
}
