import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { type Epochs, hasErasedNothing } from '../epochs.ts'
import { findPartition, touchPartition } from '../partitions.ts'
import { type Program, abreast, all, change, run, runList } from '../program.ts'
import type { ContextRecordTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes } from '../uuid-bytes.ts'

/** How many contexts a session remembers, to know an echo of them. */
export const contextsKept = 20

interface Key {
  readonly partition: number
  readonly session: string
}

const insertRecord = statement<Omit<ContextRecordTable, 'id'>>()((db, p) =>
  db.insertInto('context_record').values({
    uuid: p('uuid'), partition_id: p('partition_id'), session: p('session'), created_at: p('created_at'), items: p('items'), shingles: p('shingles'),
  } as ContextRecordTable))

const prune = statement<Key>()((db, p) =>
  db.deleteFrom('context_record').where('partition_id', '=', p('partition')).where('session', '=', p('session')).where('id', 'not in',
    db.selectFrom('context_record').select('id').where('partition_id', '=', p('partition')).where('session', '=', p('session'))
      .orderBy('id', 'desc').limit(contextsKept)))

const keys = statement<Key>()((db, p) =>
  db.selectFrom('context_record').select('id').where('partition_id', '=', p('partition')).where('session', '=', p('session')))

const shinglesAfter = statement<Key & { after: number }>()((db, p) =>
  db.selectFrom('context_record').select(['id', 'shingles']).where('partition_id', '=', p('partition')).where('session', '=', p('session'))
    .where('id', '>', p('after')).orderBy('id'))

const ofPartition = statement<{ partition: number }>()((db, p) => db.selectFrom('context_record').select(['id', 'session', 'items']).where('partition_id', '=', p('partition')))

const idsOfPartition = statement<{ partition: number; limit: number }>()((db, p) =>
  db.selectFrom('context_record').select('id').where('partition_id', '=', p('partition')).limit(p('limit')))

const ofProject = statement<{ project: number }>()((db, p) =>
  db.selectFrom('context_record').select(['id', 'session', 'items']).where('partition_id', 'in', db.selectFrom('partition').select('id').where('project_id', '=', p('project'))))

const drop = statement<{ ids: string }>()((db, p, d) => db.deleteFrom('context_record').where('id', 'in', d.numbers(p('ids'))))

export interface ContextRecord {
  readonly id: string
  /** Ids of the messages, gists and entries that were shown. */
  readonly messages: readonly string[]
  /** Keyed hashes of runs of eight words (messages/echo.ts). */
  readonly shingles: Uint8Array
  /** As they were when it was put together. */
  readonly epochs: Epochs
}

/**
 * Remembers what a session was shown, and forgets what came before the last twenty. Nothing is remembered when something was
 * erased since: what was shown may have been that. The next context of the session is.
 */
export function* saveContext(partition: PartitionId, session: SessionName, record: ContextRecord, now: number): Program<void> {
  const owner = yield* findPartition(partition)
  const uuid = uuidBytes(record.id)
  if (owner === undefined || uuid === undefined || !(yield* hasErasedNothing(partition, record.epochs))) return
  const row = { uuid, partition_id: owner.id, session, created_at: now, items: JSON.stringify(record.messages), shingles: record.shingles }
  yield* abreast([touchPartition(owner.id), runList([change(insertRecord, row), change(prune, { partition: owner.id, session })])])
}

/** Whose contexts are looked through: a partition's, or those of all partitions of a project. */
export type ContextsOf = { readonly partition: number } | { readonly project: number }

/** Contexts that showed some things (by their ids), or were a session's: they hold hashes of words, and the session's name. */
export function* contextsThatShowed(where: ContextsOf, ids: ReadonlySet<string>, session?: string): Program<readonly number[]> {
  const records = 'project' in where ? yield* all(ofProject, where) : yield* all(ofPartition, where)
  const affected = records.filter((record) => {
    const shown: readonly string[] = JSON.parse(record.items)
    return record.session === session || shown.some((id) => ids.has(id))
  })
  return affected.map(({ id }) => id)
}

/** All contexts of a partition, or some of them. */
export function* allContexts(partition: number, limit = Number.MAX_SAFE_INTEGER): Program<readonly number[]> {
  return (yield* all(idsOfPartition, { partition, limit })).map(({ id }) => id)
}

export function* dropContexts(ids: readonly number[]): Program<void> {
  if (ids.length > 0) yield* run(drop, { ids: JSON.stringify(ids) })
}

/** Keys of the contexts that a session remembers. */
export function* contextKeys(partition: number, session: string): Program<readonly number[]> {
  const rows = yield* all(keys, { partition, session })
  return rows.map(({ id }) => id)
}

/** What the contexts after a key left behind. */
export function shownAfter(partition: number, session: string, after: number): Program<readonly { id: number; shingles: Uint8Array }[]> {
  return all(shinglesAfter, { partition, session, after })
}
