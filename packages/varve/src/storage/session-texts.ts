import type { PartitionId, SessionName } from '../scope/partition.ts'
import { findPartition } from './partitions.ts'
import { type Program, all } from './program.ts'
import { findSessionRow } from './sessions.ts'
import { statement } from './statement.ts'

/** What one message says, and how a host knows it. */
interface SessionText {
  readonly seq: number
  readonly externalId: string | undefined
  readonly role: string
  readonly content: string
}

const newest = statement<{ session: number; limit: number }>()((db, p) =>
  db.selectFrom('message').select(['seq', 'external_id', 'role', 'content']).where('session_id', '=', p('session')).orderBy('seq', 'desc').limit(p('limit')))

/** A session's row number and the texts of its newest messages, oldest first; undefined for a session that is not there. */
export function* sessionTexts(partition: PartitionId, session: SessionName, limit: number): Program<{ row: { id: number; external_id: string }; texts: readonly SessionText[] } | undefined> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) return undefined
  const rows = yield* all(newest, { session: row.id, limit })
  return { row, texts: rows.toReversed().map(({ seq, external_id, role, content }) => ({ seq, externalId: external_id ?? undefined, role, content })) }
}
