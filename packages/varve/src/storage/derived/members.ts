import { sql } from 'kysely'
import { type Program, all, first } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { itemKinds } from './items.ts'

const leavesOf = statement<{ shared: number; day: string; member: number; session: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'item.session_id').$call(d.joined('session', p('member'))))
    .select((e) => e.fn.countAll<number>().as('leaves'))
    .where('item.partition_id', '=', p('shared'))
    .where(
      'item.ord',
      'in',
      db
        .selectFrom('item')
        .select('ord')
        .where('partition_id', '=', p('shared'))
        .where('kind', '=', sql<number>`1`)
        .where('rung', '=', sql<number>`0`)
        .where('period', '=', p('day')),
    )
    .where('session.partition_id', '=', p('member'))
    .where('item.session_id', '!=', p('session')),
)

const membersIn = statement<{ partition: number; path: string }>()((db, p, d) =>
  db
    .selectFrom('item')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'item.session_id').$call(d.atHome('session')))
    .innerJoin('partition as source', 'source.id', 'session.partition_id')
    .select('source.owner')
    .where('item.partition_id', '=', p('partition'))
    .where('item.kind', '=', sql<number>`1`)
    .where('item.rung', '=', sql<number>`0`)
    .where(d.bytewise(sql.ref('item.period')), '>=', p('path'))
    .where(d.bytewise(sql.ref('item.period')), '<', sql<string>`${p('path')} || '0'`)
    .groupBy('source.owner')
    .orderBy(d.bytewise(sql.ref('source.owner'))),
)

const fedBySessions = statement<{ partition: number; member: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'item.session_id').$call(d.joined('session', p('member'))))
    .selectAll('item')
    .$call(d.withHome)
    .where('item.partition_id', '=', p('partition'))
    .where('session.partition_id', '=', p('member')),
)

/** The condition of a partial index is a literal. */
const toldByShared = statement<{ shared: number; member: number; own: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'item.session_id').$call(d.joined('session', p('member'))))
    .select(['item.ord', 'item.period'])
    .where('item.partition_id', '=', p('shared'))
    .where('item.kind', '=', sql<number>`1`)
    .where('item.rung', '=', sql<number>`0`)
    .where('session.partition_id', '=', p('member'))
    .where((e) =>
      e.or([
        e('item.hand', 'is not', null),
        e.not(
          e.exists(
            e
              .selectFrom('item as own')
              .select('own.ord')
              .whereRef('own.session_id', '=', 'item.session_id')
              .where('own.session_id', '>', sql<number>`0`)
              .where('own.partition_id', '=', p('own'))
              .where('own.kind', '=', sql<number>`1`)
              .whereRef('own.period', '=', 'item.period'),
          ),
        ),
      ]),
    ),
)

/** Returns the leaves of a shared bank that tell of a member's talk what the member's own bank does not. */
export function leavesToldByShared(shared: number, member: number, own: number): Program<readonly { ord: number; period: string }[]> {
  return all(toldByShared, { shared, member, own })
}

/** Returns the users whose conversations lie in a period; '' for the anonymous user. */
export function* membersUnder(partition: number, path: string): Program<readonly string[]> {
  return (yield* all(membersIn, { partition, path })).map(({ owner }) => owner)
}

/** Returns the items of a shared bank that the sessions of one member feed: leaves, and references to messages. */
export function itemsFedBy(shared: number, member: number): Program<readonly ItemTable[]> {
  return all(fedBySessions, { partition: shared, member })
}

const names = statement<{ partition: number; home: number; session: number; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('item')
    .innerJoin('message', (join) =>
      join
        .onRef('message.session_id', '=', 'item.session_id')
        .onRef('message.seq', '=', 'item.hand_seq')
        .$call(d.joined('message', p('home'))),
    )
    .select(['message.seq', 'message.name'])
    .where('item.session_id', '=', p('session'))
    .where('item.session_id', '>', sql<number>`0`)
    .where('item.partition_id', '=', p('partition'))
    .where('item.kind', '=', itemKinds.message)
    .where('item.hand_seq', 'in', d.numbers(p('seqs')))
    .where('message.name', 'is not', null),
)

const answers = statement<{ partition: number; session: number; seqs: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select('seq')
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('seq', 'in', d.numbers(p('seqs')))
    .where('origin', '!=', 'person'),
)

/** Returns the places of a session, of some, at which no person spoke. */
export function* answersAt(partition: number, session: number, seqs: readonly number[]): Program<ReadonlySet<number>> {
  if (seqs.length === 0) return new Set()
  return new Set((yield* all(answers, { partition, session, seqs: JSON.stringify([...new Set(seqs)]) })).map(({ seq }) => seq))
}

/**
 * Returns the names that callers gave to the speakers of some messages, by seq. Only of messages that the project may
 * find: a message that holds a secret, in its name too, is not among them.
 */
export function* namesAt(shared: number, home: number, session: number, seqs: readonly number[]): Program<ReadonlyMap<number, string>> {
  if (seqs.length === 0) return new Map()
  const rows = yield* all(names, { partition: shared, home, session, seqs: JSON.stringify([...new Set(seqs)]) })
  return new Map(rows.flatMap(({ seq, name }) => (name === null ? [] : [[seq, name] as const])))
}

/** Counts the leaves of a day that a member has on a shared bank, without one session's. */
export function* countLeavesOf(shared: number, day: string, member: number, session: number): Program<number> {
  return (yield* first(leavesOf, { shared, day, member, session }))?.leaves ?? 0
}
