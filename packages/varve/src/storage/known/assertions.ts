import { sql } from 'kysely'
import { uuidv7 } from '../../ids/uuid.ts'
import type { AssertionSourceTable, AssertionTable } from '../known-tables.ts'
import { endsDrops } from './assertion-ends.ts'
import { leastTelling, type Needles } from '../needles.ts'
import type { PartitionRow } from '../partitions.ts'
import { type Program, type SingleStep, abreast, all, change, first, firstEach, run, runEach, runList } from '../program.ts'
import { statement } from '../statement.ts'
import { type Indexed, indexedAt, indexedDrops, ordinalsAt } from '../segment/erasing.ts'
import { type Ordinals, termsChange, termsHeaderBytes } from '../segment/terms.ts'
import { uuidBytes } from '../uuid-bytes.ts'

/** The kinds of assertions, as they are stored. */
export const says = { is: 0, ends: 1, wrong: 2 } as const

/**
 * Whose words a statement is, as it is stored: a person's of oneself, a named speaker's of another person, the own user's of
 * another person, or a note of an agent that rests on no message.
 */
export const whoseWords = { own: 0, ofAnother: 1, byUser: 2, noted: 3 } as const

export type WhoseWords = (typeof whoseWords)[keyof typeof whoseWords]

/** Tells whether a statement is an agent's note: it stands beside what persons said, and ends nothing of it. */
export function isNote({ of_other: said }: Pick<AssertionTable, 'of_other'>): boolean {
  return said === whoseWords.noted
}

/** How long a statement holds, as it is stored: until further notice, for a while only, or once. */
export const durations = { on: 0, while: 1, once: 2 } as const

/** The key of an end that names no predicate: "forget what I said about the car", "we switched from Jest to Vitest". */
export const anyPredicate = '*'

/** Characters [from, to) of a message, with its session's number. */
export interface SourceRange {
  readonly session: number
  readonly seq: number
  readonly from: number
  readonly to: number
}

/** An assertion to be stored, with its index data. */
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
  /** The session that it was read from; 0 for an assertion added by hand. */
  readonly session: number
  readonly sources: readonly SourceRange[]
  /** The session in which an agent noted it. */
  readonly notedIn?: number
  /** Whose words they are, as `whoseWords` has it. Absent: a person's, of oneself or added by hand. */
  readonly ofOther?: WhoseWords
  /** `while` for a state that then leaves the place to the one before, `once` for an event. Default: `on`. */
  readonly lasting?: keyof typeof durations
  readonly terms: Uint8Array
  readonly traits: number
}

/** Stores a whole row. */
export const insertAssertion = statement<AssertionTable>()((db, p) =>
  db
    .insertInto('assertion')
    .values({
      partition_id: p('partition_id'),
      ord: p('ord'),
      fact: p('fact'),
      says: p('says'),
      subject: p('subject'),
      predicate: p('predicate'),
      object: p('object'),
      subject_key: p('subject_key'),
      predicate_key: p('predicate_key'),
      object_key: p('object_key'),
      instead_key: p('instead_key'),
      valid_from: p('valid_from'),
      valid_until: p('valid_until'),
      said_at: p('said_at'),
      recorded_at: p('recorded_at'),
      withdrawn_at: p('withdrawn_at'),
      confidence: p('confidence'),
      single: p('single'),
      phrase: p('phrase'),
      when_from: p('when_from'),
      when_to: p('when_to'),
      depends_on: p('depends_on'),
      writer: p('writer'),
      session_id: p('session_id'),
      of_other: p('of_other'),
      passing: p('passing'),
      compared: p('compared'),
      noted_in: p('noted_in'),
    }),
)

const insertSource = statement<AssertionSourceTable>()((db, p) =>
  db
    .insertInto('assertion_source')
    .values({
      session_id: p('session_id'),
      seq: p('seq'),
      partition_id: p('partition_id'),
      ord: p('ord'),
      starts: p('starts'),
      ends: p('ends'),
    })
    .onConflict((c) => c.doNothing()),
)

const sameFact = statement<{ partition: number; subject: string; predicate: string; object: string }>()((db, p) =>
  db
    .selectFrom('assertion')
    .select('fact')
    .where('partition_id', '=', p('partition'))
    .where(
      'ord',
      'in',
      db
        .selectFrom('assertion')
        .select('ord')
        .where('partition_id', '=', p('partition'))
        .where('subject_key', '=', p('subject'))
        .where('predicate_key', '=', p('predicate'))
        .where('object_key', '=', p('object'))
        .limit(1),
    ),
)

const ofSession = statement<{ near: string; session: number }>()((db, p, d) =>
  db
    .selectFrom('assertion')
    .selectAll()
    .where('session_id', '=', p('session'))
    .$call(d.among(p('near')))
    .where('session_id', '>', sql<number>`0`),
)

const citing = statement<{ near: string; session: number }>()((db, p, d) =>
  db
    .selectFrom('assertion_source')
    .selectAll()
    .where('session_id', '=', p('session'))
    .$call(d.among(p('near'))),
)

const sourceCount = statement<{ partition: number; ord: number }>()((db, p) =>
  db
    .selectFrom('assertion_source')
    .select((e) => e.fn.countAll<number>().as('sources'))
    .where('partition_id', '=', p('partition'))
    .where('ord', '=', p('ord')),
)

const saidBefore = statement<{ partition: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('assertion')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('session_id', '=', sql<number>`0`)
    .where('said_at', '<', p('before'))
    .where('says', '=', sql<number>`0`)
    .where('instead_key', 'is', null)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('assertion_source')
            .select('assertion_source.ord')
            .whereRef('assertion_source.partition_id', '=', 'assertion.partition_id')
            .whereRef('assertion_source.ord', '=', 'assertion.ord'),
        ),
      ),
    )
    .limit(p('limit')),
)

const allOf = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('assertion').selectAll().where('partition_id', '=', p('partition')),
)

const removeAt = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('assertion')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const removeSourcesAt = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('assertion_source')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const removeSourcesIn = statement<{ partition: number; ord: number; session: number; seq: number }>()((db, p) =>
  db
    .deleteFrom('assertion_source')
    .where('partition_id', '=', p('partition'))
    .where('ord', '=', p('ord'))
    .where('session_id', '=', p('session'))
    .where('seq', '=', p('seq')),
)

const withdraw = statement<{ partition: number; ord: number; now: number }>()((db, p) =>
  db
    .updateTable('assertion')
    .set({ withdrawn_at: p('now') })
    .where('partition_id', '=', p('partition'))
    .where('ord', '=', p('ord')),
)

const renamed = statement<{ partition: number; ords: string; predicate: string }>()((db, p, d) =>
  db
    .updateTable('assertion')
    .set({ predicate: p('predicate') })
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const lastRecorded = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('assertion').select('recorded_at').where('partition_id', '=', p('partition')).orderBy('ord', 'desc').limit(1),
)

/** Returns the last recording time of a known partition; the earliest of all times when it has none. */
export function* lastRecordedAt({ id }: PartitionRow): Program<number> {
  return (yield* first(lastRecorded, { partition: id }))?.recorded_at ?? Number.NEGATIVE_INFINITY
}

/** Returns the recording time for now: never before the last recorded time. */
export function* recordingTime({ id }: PartitionRow, now: number): Program<number> {
  return Math.max(now, (yield* first(lastRecorded, { partition: id }))?.recorded_at ?? now)
}

/** The facts that new statements are about, in their order, and the recording time of all. */
export interface FoundFacts {
  readonly facts: readonly Uint8Array[]
  readonly recorded: number
}

type Keyed = Pick<NewAssertion, 'subjectKey' | 'predicateKey' | 'objectKey'>
type Keys = Readonly<Record<'subject' | 'predicate' | 'object', string>>

/**
 * Finds the ids of the facts that new statements are about, in one step. What was never stated gets a new id: in a partition
 * that is not there yet, all of it.
 *
 * Even if the clock is set back, no statement gets an earlier recording time than a statement stored before it. So the
 * statements known at a time are a prefix of all.
 */
export function* findFacts(known: PartitionRow | undefined, list: readonly Keyed[], now: number): Program<FoundFacts> {
  const keys = list.map(({ subjectKey: subject, predicateKey: predicate, objectKey: object }) => ({ subject, predicate, object }))
  const [before, recorded] = known === undefined ? [[], now] : yield* abreast([sameFacts(known, keys), recordingTime(known, now)])
  const made = new Map<string, Uint8Array>()
  const facts = keys.map((one, place) => {
    const known = before[place]?.fact
    if (known !== undefined) return known
    const key = JSON.stringify(one)
    const fact = made.get(key) ?? newFact(now)
    made.set(key, fact)
    return fact
  })
  return { facts, recorded }
}

function sameFacts(
  { id: partition }: PartitionRow,
  keys: readonly Keys[],
): Program<readonly ({ readonly fact: Uint8Array } | undefined)[]> {
  return firstEach(
    sameFact,
    keys.map((one) => ({ partition, ...one })),
  )
}

function newFact(now: number): Uint8Array {
  const fact = uuidBytes(uuidv7(now))
  if (fact === undefined) throw new TypeError('a new id is no uuid')
  return fact
}

/** Stores an assertion at its partition's next ordinal, and returns its fact's id. Changes `owner`; the caller saves it. */
export function* storeAssertion(owner: PartitionRow, one: NewAssertion, now: number): Program<{ ord: number; fact: Uint8Array }> {
  const { facts, recorded } = yield* findFacts(owner, [one], now)
  const [fact = newFact(now)] = facts
  yield* runList(assertionChanges(owner, one, fact, recorded))
  return { ord: owner.seq, fact }
}

/** Returns the steps that store an assertion at its partition's next ordinal. Changes `owner`; the caller saves it. */
export function assertionChanges(owner: PartitionRow, one: NewAssertion, fact: Uint8Array, recorded: number): readonly SingleStep[] {
  owner.seq += 1
  const ord = owner.seq
  const row = {
    partition_id: owner.id,
    ord,
    fact,
    says: says[one.says],
    subject: one.subject,
    predicate: one.predicate,
    object: one.object,
    subject_key: one.subjectKey,
    predicate_key: one.predicateKey,
    object_key: one.objectKey,
    instead_key: one.insteadKey,
    valid_from: one.validFrom,
    valid_until: one.validUntil,
    said_at: one.saidAt,
    recorded_at: recorded,
    withdrawn_at: null,
    confidence: one.confidence,
    single: Number(one.single),
    phrase: one.phrase,
    when_from: one.whenFrom,
    when_to: one.whenTo,
    depends_on: JSON.stringify(one.dependsOn),
    writer: one.writer,
    session_id: one.session,
    of_other: one.ofOther ?? 0,
    passing: durations[one.lasting ?? 'on'],
    compared: Number(one.says !== 'is' || one.session === 0),
    noted_in: one.notedIn ?? 0,
  }
  const sources = one.sources.map(({ session, seq, from, to }) =>
    change(insertSource, { session_id: session, seq, partition_id: owner.id, ord, starts: from, ends: to }),
  )
  if (one.says !== 'is') return [change(insertAssertion, row), ...sources]
  owner.messages += 1
  owner.term_bytes += one.terms.length
  // To the index each assertion is a talk of its own: its neighbours have nothing to do with it.
  const place = { partition_id: owner.id, ord, session_id: -ord, seq: ord, said_at: one.saidAt }
  return [change(insertAssertion, row), ...sources, termsChange({ ...place, body: one.terms, traits: one.traits })]
}

/** The number of statements that are erased together. */
const erasedAtOnce = 256

/** Reads the index data of the first statements of some that are erased together. */
export function firstIndexed(partition: number, rows: readonly AssertionTable[]): Program<Indexed> {
  return indexedAt(
    ordinalsAt(
      { id: partition },
      rows.slice(0, erasedAtOnce).map(({ ord }) => ord),
    ),
  )
}

/**
 * Takes assertions of a partition out with all their rows, and adds their bytes to the needles. Changes `owner`, whose
 * epoch is already raised; the caller saves it. `begun`: what firstIndexed() read.
 */
export function* eraseAssertions(owner: PartitionRow, rows: readonly AssertionTable[], needles: Needles, begun: Indexed): Program<void> {
  for (let at = 0; at < rows.length; at += erasedAtOnce) {
    const some = rows.slice(at, at + erasedAtOnce)
    const ords = some.map(({ ord }) => ord)
    const ordinals = ordinalsAt(owner, ords)
    const indexed = at === 0 ? begun : yield* indexedAt(ordinals)
    yield* runList([
      change(removeAt, ordinals),
      change(removeSourcesAt, ordinals),
      ...endsDrops(ordinals),
      ...indexedDrops(owner, ords, indexed),
    ])
    owner.messages -= some.filter((row) => row.says === says.is).length
    for (const row of some) needles.add([...bytesOf(row, indexed.terms.get(row.ord)), ...(indexed.vectors.get(row.ord) ?? [])])
  }
}

function bytesOf(row: AssertionTable, terms: Uint8Array | undefined): Uint8Array[] {
  // The keys too: after balancing, an index page keeps folded keys, which differ from the spoken words.
  const texts = [
    row.subject,
    row.predicate,
    row.object,
    row.phrase ?? '',
    row.subject_key,
    row.predicate_key,
    row.object_key,
    row.instead_key ?? '',
  ].map((text) => new TextEncoder().encode(text))
  return [...texts, ...(terms === undefined ? [] : [terms.subarray(termsHeaderBytes)])].filter(({ length }) => length >= leastTelling)
}

/** Withdraws an assertion: from now on a new reading of the same messages counts in its place. */
export function* withdrawAssertion(row: AssertionTable, now: number): Program<void> {
  yield withdrawal(row, now)
}

/** Returns the step that withdraws an assertion, to run in a list. */
export function withdrawal({ partition_id: partition, ord }: AssertionTable, now: number): SingleStep {
  return change(withdraw, { partition, ord, now })
}

/** Renames requests to forget to mere ends: they hold as before, and no longer wait for the host. */
export function* dismissForgets(rows: readonly AssertionTable[], predicate: string): Program<void> {
  const [first] = rows
  if (first !== undefined)
    yield* run(renamed, { partition: first.partition_id, ords: JSON.stringify(rows.map(({ ord }) => ord)), predicate })
}

/** Returns the assertions that were read from a session. */
export function assertionsOfSession(near: string, session: number): Program<readonly AssertionTable[]> {
  return all(ofSession, { near, session })
}

/** Returns the ranges of a session's messages on which assertions rest. */
export function citationsOf(near: string, session: number): Program<readonly AssertionSourceTable[]> {
  return all(citing, { near, session })
}

/** Removes source messages from assertions. */
export function dropCitations(citations: readonly AssertionSourceTable[]): Program<void> {
  return runEach(
    removeSourcesIn,
    citations.map(({ partition_id: partition, ord, session_id: session, seq }) => ({ partition, ord, session, seq })),
  )
}

/** Counts the source ranges of some assertions. */
export function* countSources(assertions: readonly Pick<AssertionSourceTable, 'partition_id' | 'ord'>[]): Program<readonly number[]> {
  const counts = yield* firstEach(
    sourceCount,
    assertions.map(({ partition_id: partition, ord }) => ({ partition, ord })),
  )
  return counts.map((one) => one?.sources ?? 0)
}

/**
 * Returns the assertions added by hand before a time that rest on no message. A person's edits go with the statement
 * that they change.
 */
export function addedBefore(partition: number, before: number, limit = Number.MAX_SAFE_INTEGER): Program<readonly AssertionTable[]> {
  return all(saidBefore, { partition, before, limit })
}

export function allAssertions(partition: number): Program<readonly AssertionTable[]> {
  return all(allOf, { partition })
}
