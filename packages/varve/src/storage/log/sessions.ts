import { sql } from 'kysely'
import { growingCache } from '../../caches/growing-cache.ts'
import { NotFound } from '../../errors/not-found.ts'
import type { Metadata } from '../../messages/message.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { keyOf, ensurePartition, findDerivedOf, findPartition, type PartitionRow, savePartition } from '../partitions.ts'
import { bitOf, bitsOf, layersSet, switchedLayers, type Switches } from '../layers.ts'
import { type Listed, type ListRequest, timedPage, timedPlace } from '../listed.ts'
import { noteChange } from '../journal/note.ts'
import { lost } from '../lost.ts'
import { type Program, type SingleStep, abreast, all, change, first, run, answer } from '../program.ts'
import type { SessionTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { keepImportedSession } from '../transfer/imports.ts'
import { stateVersion, versionOfNothing } from '../versions.ts'

/**
 * One conversation. Times are UTC milliseconds; `firstAt` and `lastAt` are the times of its first and last message as
 * people said them.
 */
export interface Session {
  readonly id: string
  readonly name?: string
  /** True when the session may feed the project's shared layers; absent: its user's setting (`settings.get().share`). */
  readonly share?: boolean
  readonly metadata?: Metadata
  /** Layers that the session switches itself; absent: its project's setting. */
  readonly layers?: SessionLayers
  /** The number of messages that it holds now. */
  readonly messages: number
  readonly createdAt: number
  readonly firstAt?: number
  readonly lastAt?: number
  /** ISO 639-1; absent while too little was said. */
  readonly language?: string
  /** Changes with the name, `share`, the metadata and the layers, and with no message: for `expectedVersion`. */
  readonly version: string
}

/** Layers that a session switches on or off; `null` returns one to the project's setting. */
export type SessionLayers = Switches<boolean | null | undefined>

export interface SessionChanges {
  readonly name?: string | undefined
  readonly share?: boolean | undefined
  readonly metadata?: Metadata | undefined
  readonly layers?: SessionLayers | undefined
}

/** A session to change, and the version that the change was made on; undefined for any. */
export interface EditedSession {
  readonly session: SessionName
  readonly expected?: string | undefined
}

/** The stored values of a session's sharing. */
export const sharing = { private: 0, shared: 1, unsaid: 2 } as const

const selectSession = statement<{ partition: number; session: string }>()((db, p) =>
  db.selectFrom('session').selectAll().where('partition_id', '=', p('partition')).where('external_id', '=', p('session')),
)

/** Gives the size of a metadata without reading it. */
const listSizes = statement<{ partition: number; at: number; id: number; limit: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select([
      'id as key',
      sql<number>`coalesce(last_said_at, created_at)`.as('at'),
      sql<number>`octet_length(external_id) + coalesce(octet_length(name), 0) + coalesce(octet_length(metadata), 0)`.as('bytes'),
    ])
    .where('partition_id', '=', p('partition'))
    .where(sql<boolean>`(coalesce(last_said_at, created_at), id) < (${p('at')}, ${p('id')})`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const byIds = statement<{ partition: number; ids: string }>()((db, p, d) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('id', 'in', d.numbers(p('ids'))),
)

const countIn = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select((e) => e.fn.countAll<number>().as('sessions'))
    .where('partition_id', '=', p('partition')),
)

const byId = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

/** The newest messages of the partition that are searched. A search by sessions would read all that began later. */
const newestMessages = 50

const latestLanguage = statement<{ partition: number }>()((db, p, d) =>
  db
    .selectFrom(
      db
        .selectFrom('message')
        .select(['session_id', 'ord'])
        .where('partition_id', '=', p('partition'))
        .orderBy('ord', 'desc')
        .limit(sql.lit(newestMessages))
        .as('newest'),
    )
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'newest.session_id').$call(d.joined('session', p('partition'))))
    .select('session.language')
    .where('session.language', '!=', '')
    .orderBy('newest.ord', 'desc')
    .limit(1),
)

const languageOnBank = statement<{ partition: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'item.session_id').$call(d.atHome('session')))
    .select('session.language')
    .where('item.partition_id', '=', p('partition'))
    .where('item.kind', '=', sql<number>`1`)
    .where('item.rung', '=', sql<number>`0`)
    .where('session.language', '!=', '')
    .orderBy(d.bytewise(sql.ref('item.period')), 'desc')
    .limit(1),
)

const insertSession = statement<{ partition: number; session: string; now: number }>()((db, p) =>
  db
    .insertInto('session')
    .values({
      partition_id: p('partition'),
      external_id: p('session'),
      name: null,
      share: sharing.unsaid,
      metadata: null,
      language: '',
      language_votes: '{}',
      seq: 0,
      epoch: 0,
      messages: 0,
      created_at: p('now'),
      first_said_at: null,
      last_said_at: null,
      last_recorded_at: p('now'),
      read_seq: 0,
      read_epoch: 0,
      read_layers: 0,
      provisional: 0,
    } as unknown as SessionTable),
)

const sharingAround = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .innerJoin('partition', 'partition.id', 'session.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(['project.sharing_since', 'partition.share'])
    .where('session.id', '=', p('id'))
    .$call(d.within(p('partition'), 'session')),
)

type Details = Pick<SessionTable, 'id' | 'name' | 'share' | 'metadata' | 'layers_set' | 'layers_on' | 'shared_from'>

const updateDetails = statement<Details & { partition: number }>()((db, p, d) =>
  db
    .updateTable('session')
    .set({
      name: p('name'),
      share: p('share'),
      metadata: p('metadata'),
      layers_set: p('layers_set'),
      layers_on: p('layers_on'),
      shared_from: p('shared_from'),
    })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const touch = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .updateTable('session')
    .set((e) => ({ epoch: e.ref('epoch') }))
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

export type SessionCounters = Pick<
  SessionTable,
  | 'id'
  | 'language'
  | 'language_votes'
  | 'seq'
  | 'epoch'
  | 'messages'
  | 'first_said_at'
  | 'last_said_at'
  | 'last_recorded_at'
  | 'main_tokens'
  | 'main_calls'
  | 'main_pause'
>

/** Gives a session's counters as a query sets them. */
export function countersSet(p: <Name extends keyof SessionCounters>(name: Name) => SessionCounters[Name]): Omit<SessionCounters, 'id'> {
  return {
    language: p('language'),
    language_votes: p('language_votes'),
    seq: p('seq'),
    epoch: p('epoch'),
    messages: p('messages'),
    first_said_at: p('first_said_at'),
    last_said_at: p('last_said_at'),
    last_recorded_at: p('last_recorded_at'),
    main_tokens: p('main_tokens'),
    main_calls: p('main_calls'),
    main_pause: p('main_pause'),
  }
}

const updateCounters = statement<SessionCounters & { partition: number }>()((db, p, d) =>
  db
    .updateTable('session')
    .set(countersSet(p))
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

export function findSessionRow(partition: number, session: string): Program<SessionTable | undefined> {
  return first(selectSession, { partition, session })
}

/** The most partitions whose numbers are kept: some MB. */
const mostGuesses = 16_384

/** The numbers that partitions had, by their names. Another store, or a forget, gives a partition another number. */
const guesses = growingCache<string, number>(mostGuesses)

/** A partition and a session of it, as far as they are there, and what was read beside them. */
export interface StandingTalk<Beside> {
  readonly owner: PartitionRow | undefined
  readonly row: SessionTable | undefined
  readonly beside: Beside | undefined
}

/**
 * Returns a partition and a session of it, in one step where the partition has the number that it had before. A query by
 * the partition's names would look for the session in every part of a distributed table. `read` goes beside it, by the same
 * number.
 */
export function* findBoth<Beside>(
  partition: PartitionId,
  session: string,
  read?: (partition: number) => Program<Beside>,
): Program<StandingTalk<Beside>> {
  const { project, kind, owner: name } = keyOf(partition)
  const key = `${kind} ${project.length} ${project}${name}`
  const guess = guesses.get(key)
  const [owner, row, beside] = yield* abreast([
    findPartition(partition),
    guess === undefined ? answer(undefined) : findSessionRow(guess, session),
    guess === undefined || read === undefined ? answer(undefined) : read(guess),
  ])
  if (owner === undefined) return { owner, row: undefined, beside: undefined }
  if (owner.id === guess) return { owner, row, beside }
  guesses.set(key, owner.id)
  return { owner, row: yield* findSessionRow(owner.id, session), beside: undefined }
}

export function sessionRowById(partition: number, id: number): Program<SessionTable | undefined> {
  return first(byId, { partition, id })
}

/**
 * Writes a session's row unchanged. On a store with snapshots this makes a concurrent forget conflict, and one of the
 * two transactions begins anew.
 */
export function* touchSession(partition: number, id: number): Program<void> {
  yield sessionTouch(partition, id)
}

/** Returns the step of touchSession(), to run in a list. */
export function sessionTouch(partition: number, id: number): SingleStep {
  return change(touch, { partition, id })
}

/** Returns the language of the partition's newest message whose session has one, or ''. */
export function* partitionLanguage(partition: number): Program<string> {
  const row = yield* first(latestLanguage, { partition })
  return row?.language ?? ''
}

/** Returns the language of the newest conversation of a bank that has one, or ''. */
export function* bankLanguage(partition: number): Program<string> {
  return (yield* first(languageOnBank, { partition }))?.language ?? ''
}

export function* countSessions(partition: number): Program<number> {
  return (yield* first(countIn, { partition }))?.sessions ?? 0
}

export function* ensureSessionRow(partition: number, session: string, now: number): Program<SessionTable> {
  const existing = yield* findSessionRow(partition, session)
  if (existing !== undefined) return existing
  const [, made] = yield* abreast([run(insertSession, { partition, session, now }), findSessionRow(partition, session)])
  if (made === undefined) throw lost('session')
  return made
}

export function nameDrop({ id, partition_id: partition, share, metadata, layers_set, layers_on, shared_from }: SessionTable): SingleStep {
  return change(updateDetails, { partition, id, name: null, share, metadata, layers_set, layers_on, shared_from })
}

export function countersChange(row: SessionCounters & { readonly partition_id: number }): SingleStep {
  return change(updateCounters, { partition: row.partition_id, ...row })
}

export function* ensureSession(partition: PartitionId, session: SessionName, changes: SessionChanges, now: number): Program<Session> {
  const owner = yield* ensurePartition(partition, now)
  const before = yield* findSessionRow(owner.id, session)
  const row = before ?? (yield* ensureSessionRow(owner.id, session, now))
  if (before === undefined || isChange(changes)) yield* noteSession(owner, row, now)
  return yield* changeRow(row, changes)
}

/** Changes a session. Throws NotFound for an unknown one. */
export function* changeSession(partition: PartitionId, session: SessionName, changes: SessionChanges, now: number): Program<Session> {
  const { owner, row } = yield* standing(partition, session)
  if (isChange(changes)) yield* noteSession(owner, row, now)
  return yield* changeRow(row, changes)
}

function* standing(partition: PartitionId, session: SessionName): Program<{ readonly owner: PartitionRow; readonly row: SessionTable }> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (owner === undefined || row === undefined) throw new NotFound({ kind: 'session', id: session })
  return { owner, row }
}

function noteSession({ id: partition, project_id: project }: PartitionRow, { id: session }: SessionTable, at: number): Program<void> {
  return noteChange({ kind: 'session', project, partition, session, at })
}

function isChange(changes: SessionChanges): boolean {
  return Object.keys(changes).length > 0
}

function* changeRow(row: SessionTable, changes: SessionChanges): Program<Session> {
  const changed = {
    ...row,
    name: changes.name ?? row.name,
    share: changes.share === undefined ? row.share : changes.share ? sharing.shared : sharing.private,
    metadata: changes.metadata === undefined ? row.metadata : JSON.stringify(changes.metadata),
    ...switched(row, changes.layers ?? {}),
    shared_from: changes.share === true ? yield* sharedFrom(row) : row.shared_from,
  }
  yield* keepImportedSession(row.partition_id, row.id)
  const { id, name, share, metadata, layers_set, layers_on, shared_from } = changed
  if (isChange(changes))
    yield* run(updateDetails, { partition: row.partition_id, id, name, share, metadata, layers_set, layers_on, shared_from })
  const derived = changed.name === row.name ? undefined : yield* findDerivedOf(row.partition_id)
  // Derived items are shown under the session's title, so their epoch rises.
  if (derived !== undefined) yield* savePartition({ ...derived, epoch: derived.epoch + 1 })
  return sessionOf(changed)
}

/** Gives the place from which a session feeds the shared bank once its owner shares it: where it fed it before, or from then on. */
function* sharedFrom(row: SessionTable): Program<number> {
  const around = yield* first(sharingAround, { partition: row.partition_id, id: row.id })
  return around !== undefined && isFeeding(row, around) ? row.shared_from : row.seq + 1
}

function isFeeding(row: SessionTable, { sharing_since: since, share }: { sharing_since: number | null; share: number }): boolean {
  if (since === null || row.share === sharing.private || (row.share === sharing.unsaid && share === 0)) return false
  return since === 0 || row.shared_from > 0 || Math.min(row.created_at, row.first_said_at ?? row.created_at) > since
}

function switched({ layers_set: set, layers_on: on }: SessionTable, layers: SessionLayers): Pick<SessionTable, 'layers_set' | 'layers_on'> {
  const named = layersSet(layers)
  const left = bitsOf(switchedLayers.filter((layer) => layers[layer] === null))
  return { layers_set: (set | named.set) & ~left, layers_on: ((on & ~named.set) | named.on) & ~left }
}

function layersOf({ layers_set: set, layers_on: on }: SessionTable): SessionLayers {
  return Object.fromEntries(switchedLayers.filter((layer) => (set & bitOf(layer)) !== 0).map((layer) => [layer, (on & bitOf(layer)) !== 0]))
}

export function* getSession(partition: PartitionId, session: SessionName): Program<Session> {
  return sessionOf((yield* standing(partition, session)).row)
}

/** Returns the sessions, the newest talk first. A session without a message stands at the time of its making. */
export function* sessions(partition: PartitionId, request: ListRequest): Program<Listed<Session>> {
  const [{ at, key: id }, { limit }] = [timedPlace('session', request), request]
  const owner = yield* findPartition(partition)
  if (owner === undefined) return { items: [] }
  const sizes = yield* all(listSizes, { partition: owner.id, at, id, limit: limit + 1 })
  return yield* timedPage(
    'session',
    sizes,
    limit,
    (ids) => all(byIds, { partition: owner.id, ids: JSON.stringify(ids) }),
    (row) => row.id,
    sessionOf,
  )
}

function sessionOf(row: SessionTable): Session {
  return {
    id: row.external_id,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.share === sharing.unsaid ? {} : { share: row.share === sharing.shared }),
    ...(row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as Metadata }),
    ...(row.layers_set === 0 ? {} : { layers: layersOf(row) }),
    messages: row.messages,
    createdAt: row.created_at,
    ...(row.first_said_at === null ? {} : { firstAt: row.first_said_at }),
    ...(row.last_said_at === null ? {} : { lastAt: row.last_said_at }),
    ...(row.language === '' ? {} : { language: row.language }),
    version: versionOfRow(row),
  }
}

/** Gives the version of what people change in a session. Messages leave it as it is: talk goes on while somebody edits. */
function versionOfRow({ id, name, share, metadata, layers_set: set, layers_on: on }: SessionTable): string {
  return stateVersion([id, name, share, metadata, set, on])
}

/** Gives the version of a session. */
export function* sessionVersion(partition: PartitionId, session: SessionName): Program<string> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  return row === undefined ? versionOfNothing : versionOfRow(row)
}
