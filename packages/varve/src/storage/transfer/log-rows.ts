import { sql } from 'kysely'
import type { Sized } from '../listed.ts'
import { type Program, all, first } from '../program.ts'
import type { MessageTable, PartitionTable, ProjectTable, SessionTable } from '../schema.ts'
import { statement } from '../statement.ts'

// The rows of the log, in the order of their keys, for an export.

/** Rows after a key, up to another. */
export interface KeyRange {
  readonly partition: number
  readonly after: number
  readonly upTo: number
}

const messageSizes = statement<KeyRange & { limit: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select([
      'ord as key',
      sql<number>`octet_length(content) + coalesce(octet_length(parts), 0) + coalesce(octet_length(metadata), 0)`.as('bytes'),
    ])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>', p('after'))
    .where('ord', '<=', p('upTo'))
    .orderBy('ord')
    .limit(p('limit')),
)

const messages = statement<KeyRange>()((db, p, d) =>
  db
    .selectFrom('message')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'message.session_id').$call(d.beside('session', 'message')))
    .leftJoin('message_terms', (join) =>
      join.onRef('message_terms.partition_id', '=', 'message.partition_id').onRef('message_terms.ord', '=', 'message.ord'),
    )
    .selectAll('message')
    .select([
      'session.external_id as session',
      sql<Uint8Array | null>`${d.beginning(sql.ref('message_terms.body'), sql.lit(24))}`.as('terms'),
    ])
    .where('message.partition_id', '=', p('partition'))
    .where('message.ord', '>', p('after'))
    .where('message.ord', '<=', p('upTo'))
    .orderBy('message.ord'),
)

const sessionSizes = statement<KeyRange & { limit: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select([
      'id as key',
      sql<number>`octet_length(external_id) + coalesce(octet_length(name), 0) + coalesce(octet_length(metadata), 0)`.as('bytes'),
    ])
    .where('partition_id', '=', p('partition'))
    .where('id', '>', p('after'))
    .where('id', '<=', p('upTo'))
    .orderBy('id')
    .limit(p('limit')),
)

const sessions = statement<KeyRange>()((db, p) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('id', '>', p('after'))
    .where('id', '<=', p('upTo'))
    .orderBy('id'),
)

const lastSession = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select((e) => e.fn.max<number | null>('id').as('id'))
    .where('partition_id', '=', p('partition')),
)

const newSince = statement<{ partition: number; after: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select((e) => ['session_id as session', e.fn.min<number>('seq').as('seq')])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>', p('after'))
    .groupBy('session_id'),
)

const partitionDetails = statement<{ id: number }>()((db, p) =>
  db.selectFrom('partition').select(['share', 'created_at']).where('id', '=', p('id')),
)

const projectDetails = statement<{ id: number }>()((db, p) => db.selectFrom('project').selectAll().where('id', '=', p('id')))

const meta = statement<{ key: string }>()((db, p) => db.selectFrom('meta').select('value').where('key', '=', p('key')))

const schema = statement<object>()((db) => db.selectFrom('schema_migration').select((e) => e.fn.max<number>('version').as('version')))

/** A message with its session's name, and the beginning of its terms. */
export type ExportedMessage = MessageTable & { readonly session: string; readonly terms: Uint8Array | null }

/** Returns the keys and sizes of messages after one, in the order of storing. */
export function sizesOfMessages(range: KeyRange, limit: number): Program<readonly Sized[]> {
  return all(messageSizes, { ...range, limit })
}

export function messagesIn(range: KeyRange): Program<readonly ExportedMessage[]> {
  return all(messages, { ...range })
}

/** Returns the keys and sizes of sessions after one, in the order of their making. */
export function sizesOfSessions(range: KeyRange, limit: number): Program<readonly Sized[]> {
  return all(sessionSizes, { ...range, limit })
}

export function sessionsIn(range: KeyRange): Program<readonly SessionTable[]> {
  return all(sessions, { ...range })
}

/** Returns the number of a partition's newest session; 0 when it has none. */
export function* newestSession(partition: number): Program<number> {
  return (yield* first(lastSession, { partition }))?.id ?? 0
}

/** Returns the first place in each session of messages stored after an ordinal. */
export function* firstPlacesAfter(partition: number, after: number): Program<ReadonlyMap<number, number>> {
  return new Map((yield* all(newSince, { partition, after })).map(({ session, seq }) => [session, seq]))
}

export function detailsOfPartition(id: number): Program<Pick<PartitionTable, 'share' | 'created_at'> | undefined> {
  return first(partitionDetails, { id })
}

export function detailsOfProject(id: number): Program<ProjectTable | undefined> {
  return first(projectDetails, { id })
}

/** Returns the store's own id. */
export function* storeId(): Program<string> {
  return (yield* first(meta, { key: 'store_id' }))?.value ?? ''
}

/** Returns the store's schema version. */
export function* schemaOfStore(): Program<number> {
  return (yield* first(schema, {}))?.version ?? 0
}
