import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { type Epochs, hasErasedNothing } from '../epochs.ts'
import { ensurePartition, findPartition, touchPartition } from '../partitions.ts'
import { partitionList } from '../partition-list.ts'
import { type Program, abreast, all, change, run, runList } from '../program.ts'
import type { ContextRecordTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes } from '../uuid-bytes.ts'
import { type ShownContext, shownContextsKept, shownText, shownWithout } from './past-contexts.ts'

/** The number of contexts that a session remembers, to recognise an echo of them. */
export const contextsKept = 20

/** The session of what was shown to none. No session has a blank name. */
export const noSessionName = ''

/** The session of what recalls and renders showed, which name none. */
export const recalledName = ' '

/** The session that something was shown to, if any. */
export type ShownTo = SessionName | typeof noSessionName | typeof recalledName

interface Key {
  readonly partition: number
  readonly session: string
}

const insertRecord = statement<Omit<ContextRecordTable, 'id'>>()((db, p) =>
  db
    .insertInto('context_record')
    .values({
      uuid: p('uuid'),
      partition_id: p('partition_id'),
      session: p('session'),
      created_at: p('created_at'),
      items: p('items'),
      shingles: p('shingles'),
      shown: p('shown'),
    } as ContextRecordTable),
)

const prune = statement<Key>()((db, p) =>
  db
    .deleteFrom('context_record')
    .where('partition_id', '=', p('partition'))
    .where('session', '=', p('session'))
    .where(
      'id',
      'not in',
      db
        .selectFrom('context_record')
        .select('id')
        .where('partition_id', '=', p('partition'))
        .where('session', '=', p('session'))
        .orderBy('id', 'desc')
        .limit(contextsKept),
    ),
)

const letShownGo = statement<{ partition: number; kept: number }>()((db, p, d) =>
  db
    .updateTable('context_record')
    .set({ shown: null })
    .where(
      'id',
      'in',
      db
        .selectFrom('context_record')
        .select('id')
        .where('partition_id', '=', p('partition'))
        .where('shown', 'is not', null)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(p('kept')),
    )
    .$call(d.within(p('partition'))),
)

const keys = statement<Key>()((db, p) =>
  db
    .selectFrom('context_record')
    .select(['id', 'partition_id'])
    .where('partition_id', '=', p('partition'))
    .where('session', '=', p('session')),
)

// All of it is in an index: no context is read.
const newest = statement<{ partition: number; limit: number }>()((db, p) =>
  db
    .selectFrom('context_record')
    .select(['id', 'session'])
    .where('partition_id', '=', p('partition'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const shinglesAmong = statement<{ partition: number; ids: string }>()((db, p, d) =>
  db
    .selectFrom('context_record')
    .select(['id', 'shingles'])
    .where('id', 'in', d.numbers(p('ids')))
    .$call(d.within(p('partition'))),
)

const ofPartition = statement<{ partition: number; after: number }>()((db, p) =>
  db
    .selectFrom('context_record')
    .select(['id', 'partition_id', 'items'])
    .where('partition_id', '=', p('partition'))
    .where('id', '>', p('after')),
)

const idsOfPartition = statement<{ partition: number; limit: number }>()((db, p) =>
  db.selectFrom('context_record').select(['id', 'partition_id']).where('partition_id', '=', p('partition')).limit(p('limit')),
)

const ofProject = statement<{ project: number; after: number }>()((db, p) =>
  db
    .selectFrom('context_record')
    .select(['id', 'partition_id', 'items'])
    .where('partition_id', 'in', db.selectFrom('partition').select('id').where('project_id', '=', p('project')))
    .where('id', '>', p('after')),
)

const idsOfProject = statement<{ project: number; limit: number }>()((db, p) =>
  db
    .selectFrom('context_record')
    .select(['id', 'partition_id'])
    .where('partition_id', 'in', db.selectFrom('partition').select('id').where('project_id', '=', p('project')))
    .limit(p('limit')),
)

const standing = statement<{ near: string; ids: string }>()((db, p, d) =>
  db
    .selectFrom('context_record')
    .select(['id', 'partition_id', 'items'])
    .where('id', 'in', d.numbers(p('ids')))
    .$call(d.among(p('near'))),
)

const shownAmong = statement<{ near: string; ids: string }>()((db, p, d) =>
  db
    .selectFrom('context_record')
    .select(['id', 'partition_id', 'items', 'shown'])
    .where('id', 'in', d.numbers(p('ids')))
    .$call(d.among(p('near')))
    .where('shown', 'is not', null),
)

const reduce = statement<{ partition: number; id: number; items: string; shown: string; shingles: Uint8Array }>()((db, p, d) =>
  db
    .updateTable('context_record')
    .set({ items: p('items'), shown: p('shown'), shingles: p('shingles') })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const drop = statement<{ near: string; ids: string }>()((db, p, d) =>
  db
    .deleteFrom('context_record')
    .where('id', 'in', d.numbers(p('ids')))
    .$call(d.among(p('near'))),
)

export interface ContextRecord {
  readonly id: string
  /** Ids of the shown messages, gists and entries, and of the messages that ended a state which is told. */
  readonly messages: readonly string[]
  /** Keyed hashes of runs of eight words (messages/echo.ts). */
  readonly shingles: Uint8Array
  /** The epochs when the context was put together. */
  readonly epochs: Epochs
  /** The record from which it can be shown again (past-contexts.ts). */
  readonly shown?: ShownContext
}

/**
 * Remembers the content shown to a session, or to none, and forgets all but its last twenty contexts. The newest 200 of
 * a partition can be shown again. A user who has nothing of their own is stored too when a shared bank was shown.
 *
 * Stores nothing when an erasure came since: the context may have shown erased content. The session's next context is
 * stored.
 */
export function* saveContext(
  partition: PartitionId,
  session: ShownTo,
  { id, messages, shingles, epochs, shown }: ContextRecord,
  now: number,
): Program<void> {
  const uuid = uuidBytes(id)
  if (uuid === undefined || !(yield* hasErasedNothing(partition, epochs))) return
  const owner = messages.length > 0 ? yield* ensurePartition(partition, now) : yield* findPartition(partition)
  if (owner === undefined) return
  const row = {
    uuid,
    partition_id: owner.id,
    session,
    created_at: now,
    items: JSON.stringify(messages),
    shingles,
    shown: shown === undefined ? null : shownText(shown),
  }
  yield* abreast([
    touchPartition(owner.id),
    runList([
      change(insertRecord, row),
      change(prune, { partition: owner.id, session }),
      ...(row.shown === null ? [] : [change(letShownGo, { partition: owner.id, kept: shownContextsKept })]),
    ]),
  ])
}

const noHashes = new Uint8Array(0)

/** The number of a context, and its partition. */
export type ContextKey = Pick<ContextRecordTable, 'id' | 'partition_id'>

/** The owner of contexts: a partition, or all partitions of a project. */
export type ContextsOf = { readonly partition: number } | { readonly project: number }

/**
 * Returns the contexts that showed some ids; such contexts hold hashes of words. Contexts that `seen` covers are not
 * searched again.
 */
export function* contextsThatShowed(
  where: ContextsOf,
  ids: ReadonlySet<string>,
  seen = new ContextsSeen(),
): Program<readonly ContextKey[]> {
  const after = seen.upTo(where, ids)
  return showing('project' in where ? yield* all(ofProject, { ...where, after }) : yield* all(ofPartition, { ...where, after }), ids)
}

/** Returns the same among contexts with given keys. */
export function* contextsAmong(keys: readonly ContextKey[], ids: ReadonlySet<string>): Program<readonly ContextKey[]> {
  return showing(yield* all(standing, amongKeys(keys)), ids)
}

function showing(records: readonly (ContextKey & Pick<ContextRecordTable, 'items'>)[], ids: ReadonlySet<string>): readonly ContextKey[] {
  return records.filter(({ items }) => idsIn(items).some((id) => ids.has(id))).map(({ id, partition_id }) => ({ id, partition_id }))
}

/** The contexts searched ahead of a transaction, by ids. The transaction then searches only newer contexts. */
export class ContextsSeen {
  readonly #seen: { readonly where: ContextsOf; readonly ids: ReadonlySet<string>; readonly upTo: number }[] = []

  /** Notes that all contexts up to a key were searched, and that those with one of these ids are gone. */
  add(where: ContextsOf, ids: ReadonlySet<string>, upTo: number): void {
    this.#seen.push({ where, ids, upTo })
  }

  /** Returns the key up to which no context showed any of these ids. */
  upTo(where: ContextsOf, ids: ReadonlySet<string>): number {
    const key = JSON.stringify(where)
    return Math.max(
      0,
      ...this.#seen.filter((one) => JSON.stringify(one.where) === key && [...ids].every((id) => one.ids.has(id))).map(({ upTo }) => upTo),
    )
  }
}

/** Returns the keys of all contexts, or of some of them. */
export function contextsOf(where: ContextsOf, limit = Number.MAX_SAFE_INTEGER): Program<readonly ContextKey[]> {
  return 'project' in where ? all(idsOfProject, { ...where, limit }) : all(idsOfPartition, { ...where, limit })
}

export function* dropContexts(keys: readonly ContextKey[]): Program<void> {
  if (keys.length > 0) yield* run(drop, amongKeys(keys))
}

function amongKeys(keys: readonly ContextKey[]): { near: string; ids: string } {
  return { near: partitionList(keys.map((key) => key.partition_id)), ids: JSON.stringify(keys.map(({ id }) => id)) }
}

const none: ReadonlySet<string> = new Set()

/**
 * Takes erased items out of the contexts that showed them, with all hashes of their words. What remains can be shown
 * again. A context without such a record goes. Items in `rewritten` stay, with other words than were shown.
 */
export function* takeFromContexts(keys: readonly ContextKey[], gone: ReadonlySet<string>, rewritten = none): Program<void> {
  const isLeft = (id: string): boolean => !gone.has(id) || rewritten.has(id)
  let rows = keys.length === 0 ? [] : yield* all(shownAmong, amongKeys(keys))
  const recorded = new Set(rows.map(({ id }) => id))
  yield* dropContexts(keys.filter(({ id }) => !recorded.has(id)))
  while (rows.length > 0) {
    yield* runList(rows.map((row) => change(reduce, reduced(row, isLeft, gone, rewritten))))
    // Programs that run abreast may have read a context before this one changed it, and put an item back.
    rows = (yield* all(shownAmong, amongKeys(rows))).filter(({ items }) => !idsIn(items).every(isLeft))
  }
}

function reduced(
  { id, partition_id: partition, items, shown }: ContextKey & Pick<ContextRecordTable, 'items' | 'shown'>,
  isLeft: (id: string) => boolean,
  gone: ReadonlySet<string>,
  rewritten: ReadonlySet<string>,
) {
  const left = JSON.stringify(idsIn(items).filter(isLeft))
  return { partition, id, items: left, shown: shownWithout(shown ?? '{}', gone, rewritten), shingles: noHashes }
}

function idsIn(items: string): readonly string[] {
  return JSON.parse(items)
}

/** Returns the keys of the contexts that a session remembers. */
export function contextKeys(partition: number, session: string): Program<readonly ContextKey[]> {
  return all(keys, { partition, session })
}

/** Returns the keys of a partition's newest contexts and their sessions, the newest first. */
export function newestContexts(partition: number, limit: number): Program<readonly Pick<ContextRecordTable, 'id' | 'session'>[]> {
  return all(newest, { partition, limit })
}

/** Returns the hashes of contexts. */
export function* shinglesOfContexts(partition: number, ids: readonly number[]): Program<readonly { id: number; shingles: Uint8Array }[]> {
  return ids.length === 0 ? [] : yield* all(shinglesAmong, { partition, ids: JSON.stringify(ids) })
}
