import { sql } from 'kysely'
import { NotFound } from '../../errors/not-found.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { findPartition } from '../partitions.ts'
import { all, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'
import { findMessageRow } from './messages.ts'
import { findSessionRow } from './sessions.ts'

/** A message that has an external id. */
export interface ExternallyNamed {
  readonly id: string
  readonly session: string
  readonly externalId: string
}

/** Found messages of some sessions; `after` is given while there are more sessions. */
export interface NamedPage {
  readonly named: readonly ExternallyNamed[]
  readonly after?: string
}

/** Sessions that one step looks through: some milliseconds. */
const sessionsAtOnce = 1_000

const sessionsAfter = statement<{ partition: number; after: string; limit: number }>()((db, p, d) =>
  db
    .selectFrom('session')
    .select(['id', 'external_id'])
    .where('partition_id', '=', p('partition'))
    .where(d.bytewise(sql.ref('external_id')), '>', p('after'))
    .orderBy(d.bytewise(sql.ref('external_id')))
    .limit(p('limit')),
)

const namedIn = statement<{ partition: number; session: number; externalIds: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['uuid', 'external_id'])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('external_id', 'in', d.texts(p('externalIds'))),
)

/** Returns those of the texts that are Varve's ids of messages in the partition. */
export function* ownIds(partition: PartitionId, texts: readonly string[]): Program<readonly string[]> {
  const owner = yield* findPartition(partition)
  const own: string[] = []
  for (const text of texts) {
    try {
      yield* findMessageRow(owner, text)
      own.push(text)
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
    }
  }
  return own
}

/** Returns the messages of one session that have one of the external ids. */
export function* namedInSession(
  partition: PartitionId,
  session: SessionName,
  externalIds: readonly string[],
): Program<readonly ExternallyNamed[]> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  return row === undefined ? [] : yield* namedUnder(row.partition_id, row, externalIds)
}

/** Looks through the next sessions of the partition for messages that have one of the external ids. */
export function* namedAnywhere(partition: PartitionId, externalIds: readonly string[], after = ''): Program<NamedPage> {
  const owner = yield* findPartition(partition)
  if (owner === undefined) return { named: [] }
  const sessions = yield* all(sessionsAfter, { partition: owner.id, after, limit: sessionsAtOnce })
  const named: ExternallyNamed[] = []
  for (const session of sessions) named.push(...(yield* namedUnder(owner.id, session, externalIds)))
  const last = sessions.length < sessionsAtOnce ? undefined : sessions.at(-1)?.external_id
  return last === undefined ? { named } : { named, after: last }
}

function* namedUnder(
  partition: number,
  { id, external_id: session }: { readonly id: number; readonly external_id: string },
  externalIds: readonly string[],
): Program<readonly ExternallyNamed[]> {
  const rows = yield* all(namedIn, { partition, session: id, externalIds: JSON.stringify(externalIds) })
  return rows.map(({ uuid, external_id }) => ({ id: uuidText(uuid), session, externalId: external_id ?? '' }))
}
