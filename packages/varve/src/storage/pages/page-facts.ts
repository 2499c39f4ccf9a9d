import { type Kysely, sql } from 'kysely'
import { extractive, type SubjectFact } from '../../models/writer.ts'
import type { Dialect } from '../dialect.ts'
import type { PageFactTable } from '../page-tables.ts'
import { type Program, all, allEach, change, first, run, runEach, runLast, runList } from '../program.ts'
import type { Schema } from '../schema.ts'
import { statement } from '../statement.ts'

/** The number of a fact or a page, and its partition. */
type PageKey = Pick<PageFactTable, 'id' | 'partition_id'>

/** A statement about a subject in a message: the subject as said and folded, and the time of saying. */
export interface NewPageFact extends SubjectFact {
  readonly key: string
  readonly saidAt: number
}

/** A fact that waits, with its speaker's name, if there is one, and the name of the partition's own user. */
export type WaitingPageFact = PageFactTable & { readonly name: string | null; readonly owner: string }

/** Stand in the place of the page of a fact: of one whose page was deleted by hand, and of one that is set aside. */
export const ofDeleted = -1
export const setAside = -2

const insert = statement<Omit<PageFactTable, 'id' | 'page_id' | 'revision'>>()((db, p) =>
  db
    .insertInto('page_fact')
    .values({
      partition_id: p('partition_id'),
      session_id: p('session_id'),
      seq: p('seq'),
      also: p('also'),
      subject: p('subject'),
      subject_key: p('subject_key'),
      fact: p('fact'),
      said_at: p('said_at'),
      writer: p('writer'),
      page_id: sql<number>`0`,
      revision: sql<number>`0`,
    }),
)

const byId = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .selectFrom('page_fact')
    .selectAll()
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const ofSession = statement<{ partition: number; session: number }>()((db, p, d) =>
  db
    .selectFrom('page_fact')
    .selectAll()
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .orderBy('seq')
    .orderBy('id'),
)

const ofPartition = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('page_fact').selectAll().where('partition_id', '=', p('partition')),
)

const ofPage = statement<{ partition: number; page: number }>()((db, p, d) =>
  db
    .selectFrom('page_fact')
    .selectAll()
    .where('page_id', '=', p('page'))
    .$call(d.within(p('partition')))
    .where('page_id', '>', sql<number>`0`)
    .orderBy('said_at')
    .orderBy('id'),
)

const pendingIn = statement<{ partition: number; limit: number }>()((db, p, d) =>
  withSpeaker(db, d)
    .where('page_fact.partition_id', '=', p('partition'))
    .where('page_fact.page_id', '=', sql<number>`0`)
    .orderBy('page_fact.id')
    .limit(p('limit')),
)

const asideOn = statement<{ partition: number; key: string; limit: number }>()((db, p, d) =>
  withSpeaker(db, d)
    .where('page_fact.partition_id', '=', p('partition'))
    .where('page_fact.subject_key', '=', p('key'))
    .where('page_fact.page_id', '=', sql<number>`${sql.lit(setAside)}`)
    .orderBy('page_fact.id', 'desc')
    .limit(p('limit')),
)

function withSpeaker(db: Kysely<Schema>, d: Dialect) {
  return db
    .selectFrom('page_fact')
    .innerJoin('partition', 'partition.id', 'page_fact.partition_id')
    .leftJoin('message', (join) =>
      join
        .onRef('message.session_id', '=', 'page_fact.session_id')
        .onRef('message.seq', '=', 'page_fact.seq')
        .$call(d.beside('message', 'page_fact')),
    )
    .selectAll('page_fact')
    .select(['message.name', 'partition.owner'])
}

const putAside = statement<FactAside & { partition: number }>()((db, p, d) =>
  db
    .updateTable('page_fact')
    .set({ page_id: sql<number>`${sql.lit(setAside)}`, subject: p('subject'), subject_key: p('key') })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition')))
    .where('page_id', '=', sql<number>`0`),
)

const partitionsPending = statement<{ now: number; limit: number; before: number; only: number }>()((db, p, d) =>
  db
    .selectFrom('partition')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(['partition.id as partition', 'project.id as project', 'project.name', 'project.settings'])
    .where(
      'partition.id',
      'in',
      db
        .selectFrom('page_fact')
        .select('partition_id')
        .where('page_id', '=', sql<number>`0`),
    )
    .where(sql<boolean>`${d.number(p('only'))} in (0, partition.id)`)
    .where(
      sql<boolean>`not exists (select 1 from work where work.kind = 3 and work.ref = partition.id and (work.lease_until >
      ${p('now')} or work.due_at > ${p('now')}))`,
    )
    .where(
      sql<boolean>`(${d.member('project.settings', 'readings', 'perDay')} is null or exists (select 1 from page_fact join session
      on session.id = page_fact.session_id${d.also(sql` and session.partition_id = page_fact.partition_id`)}
      where page_fact.partition_id = partition.id and page_fact.page_id = 0
      and session.last_recorded_at <= ${p('before')}))`,
    )
    .limit(p('limit')),
)

const countIn = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('page_fact')
    .select((e) => e.fn.countAll<number>().as('facts'))
    .where('partition_id', '=', p('partition'))
    .where('page_id', '=', sql<number>`0`),
)

const countPending = statement<object>()((db) =>
  db
    .selectFrom('page_fact')
    .select((e) => e.fn.countAll<number>().as('facts'))
    .where('page_id', '=', sql<number>`0`),
)

const pageNamed = statement<{ partition: number; key: string }>()((db, p) =>
  db
    .selectFrom('page_fact')
    .select('page_id')
    .where('partition_id', '=', p('partition'))
    .where('subject_key', '=', p('key'))
    .where('page_id', '>', sql<number>`0`)
    .orderBy('id', 'desc')
    .limit(1),
)

const named = statement<{ partition: number; key: string }>()((db, p) =>
  db
    .selectFrom('page_fact')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('subject_key', '=', p('key'))
    .orderBy('id')
    .limit(1),
)

const setPage = statement<{ partition: number; id: number; page: number; revision: number }>()((db, p, d) =>
  db
    .updateTable('page_fact')
    .set({ page_id: p('page'), revision: p('revision') })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const release = statement<{ partition: number; page: number }>()((db, p, d) =>
  db
    .updateTable('page_fact')
    .set({ page_id: 0, revision: 0 })
    .where('page_id', '=', p('page'))
    .$call(d.within(p('partition')))
    .where('page_id', '>', sql<number>`0`),
)

const blank = statement<{ partition: number; page: number }>()((db, p, d) =>
  db
    .updateTable('page_fact')
    .set({ page_id: ofDeleted, subject: '', subject_key: '', fact: '' })
    .where('page_id', '=', p('page'))
    .$call(d.within(p('partition')))
    .where('page_id', '>', sql<number>`0`),
)

const waitingOn = statement<{ partition: number; key: string }>()((db, p) =>
  db
    .selectFrom('page_fact')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('subject_key', '=', p('key'))
    .where('page_id', 'in', sql<number>`(0, ${sql.lit(setAside)})`),
)

const drop = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('page_fact')
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

/**
 * Stores the statements read from a range of a session's messages.
 *
 * Statements found in a message before stay, and those of a deleted document do not come back. A language model's
 * reading replaces the statements found without one.
 */
export function* storePageFacts(
  partition: number,
  session: number,
  { from, to, writer }: { from: number; to: number; writer: string },
  facts: readonly NewPageFact[],
): Program<void> {
  const before = (yield* pageFactsOfSession(partition, session)).filter(({ seq }) => seq >= from && seq <= to)
  const deleted = new Set(before.filter((row) => row.page_id === ofDeleted).map(({ seq }) => seq))
  const replaced = writer === extractive ? [] : before.filter((row) => row.writer === extractive && !deleted.has(row.seq))
  const stand = new Set(before.filter((row) => !replaced.includes(row)).map(({ seq }) => seq))
  const found = facts
    .filter(({ seq }) => !stand.has(seq))
    .map(({ subject, key, fact, seq, also = [], saidAt }) => ({
      partition_id: partition,
      session_id: session,
      seq,
      also: JSON.stringify(also),
      subject,
      subject_key: key,
      fact,
      said_at: saidAt,
      writer,
    }))
  yield* runLast([...replaced.map(({ id }) => change(drop, { partition, id })), ...found.map((row) => change(insert, row))])
}

/** Returns the messages on which a fact rests. */
export function messagesOf({ seq, also }: Pick<PageFactTable, 'seq' | 'also'>): readonly number[] {
  const others: readonly number[] = JSON.parse(also)
  return [seq, ...others]
}

export function pageFactById(partition: number, id: number): Program<PageFactTable | undefined> {
  return first(byId, { partition, id })
}

export function pageFactsOfSession(partition: number, session: number): Program<readonly PageFactTable[]> {
  return all(ofSession, { partition, session })
}

export function pageFactsOfPartition(partition: number): Program<readonly PageFactTable[]> {
  return all(ofPartition, { partition })
}

/** Returns the facts that were worked into a page, the oldest first. */
export function pageFactsOf({ id: page, partition_id: partition }: PageKey): Program<readonly PageFactTable[]> {
  return all(ofPage, { partition, page })
}

/** Returns the facts that wait to be worked into documents, the oldest first. */
export function pendingPageFacts(partition: number, limit: number): Program<readonly WaitingPageFact[]> {
  return all(pendingIn, { partition, limit })
}

/** Returns the last facts about a subject that were set aside, in the order of being said. */
export function* pageFactsAside(partition: number, key: string, limit: number): Program<readonly WaitingPageFact[]> {
  return (yield* all(asideOn, { partition, key, limit })).toReversed()
}

/** A fact to set aside, and the subject that it counts for. */
export interface FactAside {
  readonly id: number
  readonly subject: string
  readonly key: string
}

/** Sets waiting facts aside: their subject has too few for a document. They are read again with its next one. */
export function setFactsAside(partition: number, facts: readonly FactAside[]): Program<void> {
  return runLast(facts.map((fact) => change(putAside, { partition, ...fact })))
}

/** A partition with facts that wait to be worked into documents. */
export interface PendingPartition {
  readonly partition: number
  readonly project: number
  readonly name: string
  /** The project's settings: JSON. */
  readonly settings: string
}

/** Facts wait so long for the host's own model, where it reads: milliseconds from the last message of their session on. */
const forHostMs = 86_400_000

/**
 * Returns the partitions with waiting facts that nobody holds and that are not put off. Without `hasEditor`, facts wait a
 * day for the host's own model where it reads. `only` names one partition; 0 stands for all.
 */
export function partitionsWithPendingFacts(now: number, limit: number, hasEditor: boolean, only = 0): Program<readonly PendingPartition[]> {
  return all(partitionsPending, { now, limit, before: hasEditor ? Number.MAX_SAFE_INTEGER : now - forHostMs, only })
}

export function* countPendingFacts(): Program<number> {
  return (yield* first(countPending, {}))?.facts ?? 0
}

/** Counts the facts that wait in a partition. */
export function* countPendingIn(partition: number): Program<number> {
  return (yield* first(countIn, { partition }))?.facts ?? 0
}

/** Returns the page that took a subject's last facts. */
export function* pageOfSubject(partition: number, key: string): Program<number | undefined> {
  return (yield* first(pageNamed, { partition, key }))?.page_id
}

/** Returns the oldest fact about a subject under this name. */
export function factNaming(partition: number, key: string): Program<PageFactTable | undefined> {
  return first(named, { partition, key })
}

/** Returns the subjects' names of the facts on a page. */
export function* subjectsOfPage(page: PageKey): Program<readonly string[]> {
  return [...new Set((yield* pageFactsOf(page)).map(({ subject }) => subject))]
}

/** Notes that a fact is in a page, and the revision that wrote it there; 0 when the page said it already. */
export function workedIn(partition: number, id: number, page: number, revision: number): Program<void> {
  return run(setPage, { partition, id, page, revision })
}

/** Makes facts that were worked in wait again. */
export function releaseFacts(facts: readonly PageKey[]): Program<void> {
  return runEach(
    setPage,
    facts.map(({ id, partition_id: partition }) => ({ partition, id, page: 0, revision: 0 })),
  )
}

/** Makes all facts that were worked into a page wait again. */
export function releaseFactsOf({ id: page, partition_id: partition }: PageKey): Program<void> {
  return run(release, { partition, page })
}

/**
 * Removes the words of facts worked into a page that is deleted by hand, and of those that wait for it. The rows stay,
 * so that the messages count as read. Returns the facts as they were.
 */
export function* blankFactsOf({
  id,
  partition_id: partition,
  name_key: name,
}: {
  readonly id: number
  readonly partition_id: number
  readonly name_key: string
}): Program<readonly PageFactTable[]> {
  const worked = yield* pageFactsOf({ id, partition_id: partition })
  const keys = [...new Set([name, ...worked.map(({ subject_key: subject }) => subject)])]
  const waiting = (yield* allEach(
    waitingOn,
    keys.map((key) => ({ partition, key })),
  )).flat()
  yield* runList([
    ...waiting.map((fact) => change(setPage, { partition, id: fact.id, page: id, revision: 0 })),
    change(blank, { partition, page: id }),
  ])
  return [...worked, ...waiting]
}

export function dropPageFacts(facts: readonly PageKey[]): Program<void> {
  return runEach(
    drop,
    facts.map(({ id, partition_id: partition }) => ({ partition, id })),
  )
}
