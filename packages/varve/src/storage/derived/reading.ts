import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { bitOf, type DistilledLayer, onceShift, perLayer, privateBits, sharedBits } from '../layers.ts'
import { derivedKind } from '../partitions.ts'
import { type Program, type SingleStep, all, change, first, run } from '../program.ts'
import type { Schema, SessionTable } from '../schema.ts'
import { settling } from '../settling.ts'
import { sharing } from '../log/sessions.ts'
import { statement } from '../statement.ts'
import { workKinds } from '../work.ts'

/** The bounds that make a session due. */
export interface DueBounds {
  readonly now: number
  /** Sessions without a message since then are settled: UTC milliseconds. */
  readonly settledBefore: number
  /**
   * Unread sessions whose last message was said before then are due as well: UTC milliseconds. Old talk has settled,
   * however late it was imported.
   */
  readonly saidBefore: number
  /** 1 where the times above go by a project's own setting for settling, 0 where they hold as they are. */
  readonly settles: 0 | 1
  /** The number of new messages that makes a session due before it settles, unless its project says otherwise. */
  readonly newMessages: number
  /** Bits of the layers that are on where a project has no setting. */
  readonly layers: number
}

/**
 * The kinds of due work: a session that was never read, one to be written again, one whose gist waited until it settled
 * (some of those to be written again), one without a layer that was switched on later.
 */
export type DueKind = 'unread' | 'provisional' | 'waited' | 'lacking'

/** A session that is due, and the bits of its wanted layers. */
export interface DueSession {
  readonly id: number
  readonly partition: number
  readonly wanted: number
}

interface Params extends DueBounds {
  readonly partition: number
  readonly limit: number
}

type Param<All> = <Name extends keyof All & string>(name: Name) => All[Name]

// Functions, because the published package has no query builder to run them with (scripts/precompile.ts).
const ofShared = () => sql.lit(sharedBits)
const ofOwner = () => sql.lit(privateBits)

const unread = () => sql<SqlBool>`(session.read_seq < session.seq OR session.read_epoch < session.epoch)`

function projectLayers(layers: number) {
  return sql<number>`(${layers} & ~project.layers_set) | project.layers_on`
}

/**
 * Gives the layers that are wanted of a session: its own setting, or else its project's. It includes the shared bank
 * when the session began, and all of it was said, after the switch, or when its owner shares it by name.
 */
function wantedOf(d: Dialect, layers: number) {
  return sql<number>`((((${projectLayers(layers)}) & ~session.layers_set) | session.layers_on) & ${ofOwner()}) | (case when
      project.sharing_since is not null
    and (project.sharing_since = 0 or session.shared_from > 0
    or ${d.least(sql`session.created_at`, sql`coalesce(session.first_said_at, session.created_at)`)}
      > project.sharing_since)
    and (session.share = ${sql.lit(sharing.shared)} or (session.share = ${sql.lit(sharing.unsaid)} and partition.share = 1)) then
      ${ofShared()} else 0 end)`
}

/** Gives the layers that are wanted of a session and were not wanted when it was read. */
function lackedOf(d: Dialect, layers: number) {
  return sql<number>`((${wantedOf(d, layers)}) & ~session.read_layers)`
}

/** Gives the condition that nobody holds a session and that it is not put off. */
function isFree(now: number, isPutOff: boolean) {
  const held = isPutOff
    ? sql`(work.lease_until > ${now} or work.due_at > ${now})`
    : sql`(work.lease_until > ${now} or (work.due_at > ${now} and session.provisional = 0))`
  return sql<SqlBool>`not exists (select 1 from work where work.kind = ${sql.lit(workKinds.session)} and work.ref = session.id and ${held})`
}

/** Gives the number of failures of a session in a row: one that failed leads no other. */
function triedOf() {
  return sql<number>`coalesce((select attempts from work where work.kind = ${sql.lit(workKinds.session)} and work.ref = session.id), 0)`
}

/** Gives the time by which a project settles later than usual: milliseconds, below 0 where it settles sooner. */
function settlesLater(d: Dialect) {
  const minutes = d.member('project.settings', 'reading', 'settleMinutes')
  return sql<number>`((coalesce(${minutes}, ${sql.lit(settling.usualMinutes)}) - ${sql.lit(settling.usualMinutes)}) * 60000)`
}

function isReady(p: Param<Omit<DueBounds, 'now' | 'layers'>>, d: Dialect) {
  const later = sql`${p('settles')} * ${settlesLater(d)}`
  const newMessages = sql`coalesce(${d.member('project.settings', 'reading', 'newMessages')}, ${p('newMessages')})`
  return sql<SqlBool>`(session.last_recorded_at <= ${p('settledBefore')} - ${later} or session.seq - session.read_seq >= ${newMessages}
    or (session.read_seq = 0 and session.last_said_at <= ${p('saidBefore')} - ${later}))`
}

const conditions: Readonly<Record<DueKind, (p: Param<Omit<Params, 'partition'>>, d: Dialect) => Expression<SqlBool>>> = {
  unread: (p, d) => sql<SqlBool>`${unread()} and ${isReady(p, d)}
    and ${isFree(p('now'), false)}`,
  provisional: (p) => sql<SqlBool>`session.provisional > 0 and not ${unread()} and ${isFree(p('now'), true)}`,
  waited: (p) => sql<SqlBool>`session.provisional > 0 and not ${unread()} and ${isFree(p('now'), true)} and exists (select 1 from work
    where work.kind = ${sql.lit(workKinds.session)} and work.ref = session.id and work.reason is null and work.due_at > 0)`,
  lacking: (p, d) =>
    sql<SqlBool>`session.messages > 0 and session.read_seq > 0 and ${lackedOf(d, p('layers'))} <> 0 and ${isFree(p('now'), true)}`,
}

type Db = Kysely<Schema>

function due(db: Db, p: Param<Params>, d: Dialect, kind: DueKind) {
  return db
    .selectFrom('session')
    .innerJoin('partition', 'partition.id', 'session.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(['session.id', 'session.partition_id as partition', wantedOf(d, p('layers')).as('wanted')])
    .where('session.partition_id', '=', p('partition'))
    .where(conditions[kind](p, d))
    .where(sql<SqlBool>`(${wantedOf(d, p('layers'))}) <> 0`)
    .$if(kind === 'provisional', (query) => query.orderBy(triedOf()))
    .orderBy('session.id', 'desc')
    .limit(p('limit'))
}

function partitions(db: Db, p: Param<Omit<Params, 'partition'>>, d: Dialect, kind: DueKind) {
  return db
    .selectFrom('partition')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select('partition.id')
    .where('partition.owner_kind', '<', sql<number>`${sql.lit(derivedKind)}`)
    .where(sql<SqlBool>`(((${projectLayers(p('layers'))}) & ${ofOwner()}) <> 0 or project.sharing_since is not null
      or exists (select 1 from session where session.partition_id = partition.id and session.layers_on > 0))`)
    .where((e) =>
      e.exists(
        e
          .selectFrom('session')
          .select('session.id')
          .whereRef('session.partition_id', '=', 'partition.id')
          .where(conditions[kind](p, d))
          .where(sql<SqlBool>`(${wantedOf(d, p('layers'))}) <> 0`),
      ),
    )
    .orderBy('partition.distilled_at')
    .orderBy('partition.id')
    .limit(p('limit'))
}

const dueUnread = statement<Params>()((db, p, d) => due(db, p, d, 'unread'))
const dueProvisional = statement<Params>()((db, p, d) => due(db, p, d, 'provisional'))
const dueWaited = statement<Params>()((db, p, d) => due(db, p, d, 'waited'))
const dueLacking = statement<Params>()((db, p, d) => due(db, p, d, 'lacking'))
const partitionsUnread = statement<Omit<Params, 'partition'>>()((db, p, d) => partitions(db, p, d, 'unread'))
const partitionsProvisional = statement<Omit<Params, 'partition'>>()((db, p, d) => partitions(db, p, d, 'provisional'))
const partitionsWaited = statement<Omit<Params, 'partition'>>()((db, p, d) => partitions(db, p, d, 'waited'))
const partitionsLacking = statement<Omit<Params, 'partition'>>()((db, p, d) => partitions(db, p, d, 'lacking'))

const dueOf = { unread: dueUnread, provisional: dueProvisional, waited: dueWaited, lacking: dueLacking } as const
const partitionsOf = {
  unread: partitionsUnread,
  provisional: partitionsProvisional,
  waited: partitionsWaited,
  lacking: partitionsLacking,
} as const

const wantedNow = statement<{ partition: number; session: number; layers: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .innerJoin('partition', 'partition.id', 'session.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select([
      sql<number>`(${wantedOf(d, p('layers'))}) | ((${d.number(p('layers'))} >> ${sql.lit(onceShift)}) & ${ofOwner()})`.as('wanted'),
      'project.id as project',
      'project.name',
      'project.settings',
      'project.answers_since as answersSince',
      'partition.owner',
    ])
    .where('session.id', '=', p('session'))
    .$call(d.within(p('partition'), 'session')),
)

const unreadOf = statement<{ partition: number; session: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .innerJoin('message', (join) => join.onRef('message.session_id', '=', 'session.id').$call(d.beside('message', 'session')))
    .select((e) => e.fn.countAll<number>().as('messages'))
    .where('session.partition_id', '=', p('partition'))
    .where(unread())
    .where(sql<SqlBool>`(${d.number(p('session'))} = 0 or session.id = ${p('session')})`)
    .where(sql<SqlBool>`(message.seq > session.read_seq or session.read_epoch < session.epoch)`),
)

const placesIn = statement<{ partition: number; session: number; from: number; to: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['seq', 'said_at as at', 'tokens'])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '>=', p('from'))
    .where('seq', '<=', p('to'))
    .orderBy('seq'),
)

const backlogOf = statement<{ layers: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .innerJoin('partition', 'partition.id', 'session.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select((e) => [
      wantedOf(d, p('layers')).as('wanted'),
      e.fn.countAll<number>().as('sessions'),
      e.fn.min(sql<number>`session.last_recorded_at + ${settlesLater(d)}`).as('oldest'),
    ])
    .where(unread())
    .where('session.messages', '>', 0)
    .groupBy('wanted'),
)

const waitingIn = statement<Omit<Params, 'now' | 'limit'> & { session: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .innerJoin('partition', 'partition.id', 'session.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select((e) => [
      e.fn.countAll<number>().as('sessions'),
      e.fn.max(sql<number>`session.last_recorded_at + ${settlesLater(d)}`).as('newest'),
    ])
    .where(unread())
    .where('session.messages', '>', 0)
    .where(sql<SqlBool>`not ${isReady(p, d)}`)
    .where(sql<SqlBool>`(${wantedOf(d, p('layers'))}) <> 0`)
    .where(sql<SqlBool>`(${d.number(p('partition'))} = 0 or session.partition_id = ${p('partition')})`)
    .where(sql<SqlBool>`(${d.number(p('session'))} = 0 or session.id = ${p('session')})`),
)

// This scans all sessions, since no index has them: 140,000 take 35 ms, or 80 ms where all lack a layer.
const lackingOf = statement<{ layers: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .innerJoin('partition', 'partition.id', 'session.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select((e) => [lackedOf(d, p('layers')).as('wanted'), e.fn.countAll<number>().as('sessions')])
    .where(sql<SqlBool>`not ${unread()}`)
    .where('session.messages', '>', 0)
    .where('session.read_seq', '>', 0)
    .where(sql<SqlBool>`${lackedOf(d, p('layers'))} <> 0`)
    .groupBy('wanted'),
)

const provisionalSessions = statement<object>()((db) =>
  db
    .selectFrom('session')
    .select((e) => ['provisional', e.fn.countAll<number>().as('sessions')])
    .where('provisional', '>', 0)
    .groupBy('provisional'),
)

const took = statement<{ id: number; now: number }>()((db, p) =>
  db
    .updateTable('partition')
    .set({ distilled_at: p('now') })
    .where('id', '=', p('id')),
)

const dropLayer = statement<{ partition: number; id: number; keep: number }>()((db, p, d) =>
  db
    .updateTable('session')
    .set((e) => ({
      read_layers: sql<number>`${e.ref('read_layers')} & ${p('keep')}`,
      provisional: sql<number>`${e.ref('provisional')} & ${p('keep')}`,
    }))
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const raise = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .updateTable('session')
    .set((e) => ({ epoch: e('epoch', '+', 1) }))
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const saveRead = statement<Pick<SessionTable, 'id' | 'read_seq' | 'read_epoch' | 'read_layers' | 'provisional'> & { partition: number }>()(
  (db, p, d) =>
    db
      .updateTable('session')
      .set({ read_seq: p('read_seq'), read_epoch: p('read_epoch'), read_layers: p('read_layers'), provisional: p('provisional') })
      .where('id', '=', p('id'))
      .$call(d.within(p('partition'))),
)

/** Returns due sessions, a few of each partition. The partition that waited longest comes first, so that none delays another. */
export function* dueSessions(
  kind: DueKind,
  bounds: DueBounds,
  partitionLimit: number,
  perPartition: number,
): Program<readonly DueSession[]> {
  const found: DueSession[] = []
  for (const { id } of yield* all(partitionsOf[kind], { ...bounds, limit: partitionLimit })) {
    found.push(...(yield* all(dueOf[kind], { ...bounds, partition: id, limit: perPartition })))
  }
  return found
}

/** Returns the due sessions of one partition. */
export function dueSessionsOf(kind: DueKind, bounds: DueBounds, partition: number, limit: number): Program<readonly DueSession[]> {
  return all(dueOf[kind], { ...bounds, partition, limit })
}

/** Returns the layers that are wanted of a session now, and its owner; undefined when the session is gone. */
export function wantedOfSession(partition: number, session: number, layers: number) {
  return first(wantedNow, { partition, session, layers })
}

/**
 * Counts the unread messages of one session or of a partition. Where messages of a session were erased or replaced
 * since it was read, all of them count.
 */
export function* countUnread(partition: number, session: number | undefined): Program<number> {
  return (yield* first(unreadOf, { partition, session: session ?? 0 }))?.messages ?? 0
}

/** Returns places, times and sizes of a session's messages with seq in [from, to]. */
export function placesBetween(partition: number, session: number, from: number, to: number) {
  return all(placesIn, { partition, session, from, to })
}

/** The waiting sessions, by layer. */
export interface ReadingBacklog {
  /** Sessions with unread messages, and sessions that lack a layer. */
  readonly waiting: Readonly<Record<DistilledLayer, number>>
  /** The usual settling time before the oldest session with unread messages settles: UTC milliseconds. */
  readonly oldest: number | undefined
  /** Sessions with provisional text, to be written again. */
  readonly provisional: Readonly<Record<DistilledLayer, number>>
}

export function* readingBacklog(layers: number): Program<ReadingBacklog> {
  const unread = (yield* all(backlogOf, { layers })).filter(({ wanted }) => wanted !== 0)
  const lacking = yield* all(lackingOf, { layers })
  const again = yield* all(provisionalSessions, {})
  const times = unread.map(({ oldest }) => oldest)
  return {
    waiting: byLayer([...unread, ...lacking].map(({ wanted, sessions }) => ({ bits: wanted, sessions }))),
    oldest: times.length === 0 ? undefined : Math.min(...times),
    provisional: byLayer(again.map(({ provisional, sessions }) => ({ bits: provisional, sessions }))),
  }
}

function byLayer(rows: readonly { bits: number; sessions: number }[]): Record<DistilledLayer, number> {
  return perLayer((layer) => rows.reduce((sum, { bits, sessions }) => ((bits & bitOf(layer)) === 0 ? sum : sum + sessions), 0))
}

/** Sessions with unread messages that are not due yet, and the usual settling time before the last of them settles. */
export interface NotDue {
  readonly sessions: number
  readonly newest: number | undefined
}

/** Counts the sessions of a partition that are not due yet. A partition or a session of 0 stands for all. */
export function* sessionsNotDue(
  { settledBefore, saidBefore, settles, newMessages, layers }: DueBounds,
  partition: number,
  session: number,
): Program<NotDue> {
  const row = yield* first(waitingIn, { settledBefore, saidBefore, settles, newMessages, layers, partition, session })
  return { sessions: row?.sessions ?? 0, newest: row?.newest ?? undefined }
}

/** Returns the step that notes that a partition had its turn. */
export function turnTaken(partition: number, now: number): SingleStep {
  return change(took, { id: partition, now })
}

/** Moves a session's cursor. */
export function* saveCursor(...asked: Parameters<typeof cursorChange>): Program<void> {
  yield cursorChange(...asked)
}

/** Returns the step that moves a session's cursor. */
export function cursorChange(
  partition: number,
  row: Pick<SessionTable, 'id' | 'read_seq' | 'read_epoch' | 'read_layers' | 'provisional'>,
): SingleStep {
  return change(saveRead, { partition, ...row })
}

/** Raises a session's epoch. A reader at work on the old state fails, and the session is read again. */
export function raiseEpoch(partition: number, session: number): Program<void> {
  return run(raise, { partition, id: session })
}

/** Makes a session due for a layer again. */
export function forgetLayer(partition: number, session: number, layer: number): Program<void> {
  return run(dropLayer, { partition, id: session, keep: ~layer })
}
