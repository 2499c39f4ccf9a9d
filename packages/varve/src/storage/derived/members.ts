import { sql } from 'kysely'
import { type Program, all } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { statement } from '../statement.ts'

const membersIn = statement<{ partition: number; path: string }>()((db, p, d) =>
  db
    .selectFrom('item')
    .innerJoin('session', 'session.id', 'item.session_id')
    .innerJoin('partition as source', 'source.id', 'session.partition_id')
    .select('source.owner')
    .distinct()
    .where('item.partition_id', '=', p('partition'))
    .where('item.kind', '=', sql<number>`1`)
    .where('item.rung', '=', sql<number>`0`)
    .where(d.bytewise(sql.ref('item.period')), '>=', p('path'))
    .where(d.bytewise(sql.ref('item.period')), '<', sql<string>`${p('path')} || '0'`)
    .orderBy('source.owner'),
)

const fedBySessions = statement<{ partition: number; member: number }>()((db, p) =>
  db
    .selectFrom('item')
    .innerJoin('session', 'session.id', 'item.session_id')
    .selectAll('item')
    .where('item.partition_id', '=', p('partition'))
    .where('session.partition_id', '=', p('member')),
)

/** Returns the users whose conversations lie in a period; '' for the anonymous user. */
export function* membersUnder(partition: number, path: string): Program<readonly string[]> {
  return (yield* all(membersIn, { partition, path })).map(({ owner }) => owner)
}

/** Returns the items of a shared bank that the sessions of one member feed: leaves, and references to messages. */
export function itemsFedBy(shared: number, member: number): Program<readonly ItemTable[]> {
  return all(fedBySessions, { partition: shared, member })
}
