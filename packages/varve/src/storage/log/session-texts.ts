import type { SessionTable } from '../schema.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { findPartition } from '../partitions.ts'
import { type Program, all } from '../program.ts'
import { findSessionRow } from './sessions.ts'
import { statement } from '../statement.ts'

/** The text of one message, and the host's id for it. */
interface SessionText {
  readonly seq: number
  readonly externalId: string | undefined
  readonly role: string
  readonly content: string
}

const newest = statement<{ partition: number; session: number; from: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['seq', 'external_id', 'role', 'content'])
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', '>=', p('from'))
    .orderBy('seq', 'desc')
    .limit(p('limit')),
)

/** Returns a session's row; undefined for an unknown session. */
export function* sessionRow(partition: PartitionId, session: SessionName): Program<SessionTable | undefined> {
  const owner = yield* findPartition(partition)
  return owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
}

/** Returns the texts of a session's newest messages from a seq on, oldest first. */
export function* sessionTexts(
  session: Pick<SessionTable, 'id' | 'partition_id'>,
  from: number,
  limit: number,
): Program<readonly SessionText[]> {
  const rows = yield* all(newest, { partition: session.partition_id, session: session.id, from, limit })
  return rows.toReversed().map(({ seq, external_id, role, content }) => ({ seq, externalId: external_id ?? undefined, role, content }))
}
