import { sql } from 'kysely'
import { type Program, abreast, all, first } from '../program.ts'
import type { BlockTable } from '../known-tables.ts'
import type { PageTable } from '../page-tables.ts'
import type { MessageTable, PartitionTable, ProjectTable, SessionTable } from '../schema.ts'
import { statement } from '../statement.ts'

// What a replay of receipts looks up: names to be hashed, and what was there at the time of a receipt.

interface At {
  readonly partition: number
  readonly at: number
}

const owners = statement<{ after: number }>()((db, p) =>
  db
    .selectFrom('partition')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(['partition.id', 'project.name as project', 'partition.owner_kind as kind', 'partition.owner'])
    .where('partition.id', '>', p('after'))
    .where('owner_kind', '<', sql<number>`3`)
    .orderBy('partition.id')
    .limit(2_000),
)

const projectsAfter = statement<{ after: number }>()((db, p) =>
  db.selectFrom('project').select(['id', 'name', 'sharing_since', 'answers_since']).where('id', '>', p('after')).orderBy('id').limit(2_000),
)

const made = statement<{ id: number }>()((db, p) => db.selectFrom('partition').select(['created_at', 'share']).where('id', '=', p('id')))

const sessionNames = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select(['id', 'external_id', 'created_at', 'last_recorded_at', 'messages', 'share'])
    .where('partition_id', '=', p('partition')),
)

const contextSessions = statement<At>()((db, p) =>
  db
    .selectFrom('context_record')
    .select('session')
    .distinct()
    .where('partition_id', '=', p('partition'))
    .where('created_at', '<=', p('at')),
)

const pagesOf = statement<At>()((db, p) =>
  db
    .selectFrom('page')
    .select(['kind', 'session_id', 'name', 'name_key'])
    .where('partition_id', '=', p('partition'))
    .where('created_at', '<=', p('at')),
)

const blocksOf = statement<At>()((db, p) =>
  db.selectFrom('block').select(['session_id', 'name']).where('partition_id', '=', p('partition')).where('created_at', '<=', p('at')),
)

const newer = statement<At>()((db, p) =>
  db
    .selectFrom('partition')
    .select('id')
    .where('id', '=', p('partition'))
    .where((e) =>
      e.or([
        e.exists(
          db.selectFrom('message').select('ord').where('message.partition_id', '=', p('partition')).where('recorded_at', '>', p('at')),
        ),
        e.exists(
          db
            .selectFrom('session')
            .select('session.id')
            .where('session.partition_id', '=', p('partition'))
            .where('session.created_at', '>', p('at')),
        ),
        e.exists(
          db.selectFrom('page').select('page.id').where('page.partition_id', '=', p('partition')).where('page.created_at', '>', p('at')),
        ),
        e.exists(
          db
            .selectFrom('block')
            .select('block.id')
            .where('block.partition_id', '=', p('partition'))
            .where('block.created_at', '>', p('at')),
        ),
        e.exists(
          db
            .selectFrom('instruction')
            .select('uuid')
            .where('instruction.partition_id', '=', p('partition'))
            .where('instruction.session_id', '=', sql<number>`0`)
            .where('instruction.recorded_at', '>', p('at')),
        ),
      ]),
    ),
)

const handNewer = statement<At>()((db, p) =>
  db
    .selectFrom('assertion')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('session_id', '=', sql<number>`0`)
    .where('recorded_at', '>', p('at'))
    .limit(1),
)

const newerInSession = statement<{ partition: number; session: number; at: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select('ord')
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('recorded_at', '>', p('at'))
    .limit(1),
)

const columns = ['ord', 'session_id', 'uuid', 'said_at', 'recorded_at'] as const

const inRun = statement<{ partition: number; from: number; to: number; limit: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select(columns)
    .where('partition_id', '=', p('partition'))
    .where('ord', '>=', p('from'))
    .where('ord', '<=', p('to'))
    .orderBy('ord')
    .limit(p('limit')),
)

const inSession = statement<{ partition: number; session: number; before: number; at: number }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(columns)
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('said_at', '<', p('before'))
    .where('recorded_at', '<=', p('at'))
    .orderBy('seq'),
)

const anySaid = statement<{ partition: number; before: number; at: number }>()((db, p) =>
  db
    .selectFrom('message')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('said_at', '<', p('before'))
    .where('recorded_at', '<=', p('at'))
    .limit(1),
)

const columnsMoved = ['message.ord', 'message.session_id', 'message.uuid', 'message.said_at', 'message.recorded_at'] as const

const moved = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('message_moved')
    .innerJoin('message', (join) =>
      join.onRef('message.partition_id', '=', 'message_moved.partition_id').onRef('message.ord', '=', 'message_moved.ord'),
    )
    .select(columnsMoved)
    .where('message_moved.partition_id', '=', p('partition')),
)

const oneMoved = statement<{ partition: number; uuid: Uint8Array }>()((db, p) =>
  db
    .selectFrom('message_moved')
    .innerJoin('message', (join) =>
      join.onRef('message.partition_id', '=', 'message_moved.partition_id').onRef('message.ord', '=', 'message_moved.ord'),
    )
    .select(columnsMoved)
    .where('message_moved.partition_id', '=', p('partition'))
    .where('message_moved.uuid', '=', p('uuid')),
)

const bankEntry = statement<{ partition: number; uuid: Uint8Array }>()((db, p) =>
  db.selectFrom('item').select('ord').where('partition_id', '=', p('partition')).where('uuid', '=', p('uuid')),
)

const bankTimes = statement<At>()((db, p) =>
  db
    .selectFrom('item')
    .select((e) => [e.fn.countAll<number>().as('entries'), e.fn.max('recorded_at').as('newest')])
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', sql<number>`1`),
)

export type OwnerRow = Pick<PartitionTable, 'id' | 'owner'> & { readonly project: string; readonly kind: number }
export type SessionPlace = Pick<SessionTable, 'id' | 'external_id' | 'created_at' | 'last_recorded_at' | 'messages' | 'share'>
export type MessagePlace = Pick<MessageTable, 'ord' | 'session_id' | 'uuid' | 'said_at' | 'recorded_at'>

/** Returns up to 2,000 owners with a larger number, in order. */
export function ownersAfter(after: number): Program<readonly OwnerRow[]> {
  return all(owners, { after })
}

/** Returns up to 2,000 projects with a larger number, in order. */
export function projectRowsAfter(after: number): Program<readonly Pick<ProjectTable, 'id' | 'name' | 'sharing_since' | 'answers_since'>[]> {
  return all(projectsAfter, { after })
}

export function partitionMade(id: number): Program<Pick<PartitionTable, 'created_at' | 'share'> | undefined> {
  return first(made, { id })
}

export function sessionPlaces(partition: number): Program<readonly SessionPlace[]> {
  return all(sessionNames, { partition })
}

/** Returns the names of sessions that were shown a context by a time. */
export function* sessionsShown(partition: number, at: number): Program<readonly string[]> {
  return (yield* all(contextSessions, { partition, at })).map(({ session }) => session)
}

export function pagesMadeBy(
  partition: number,
  at: number,
): Program<readonly Pick<PageTable, 'kind' | 'session_id' | 'name' | 'name_key'>[]> {
  return all(pagesOf, { partition, at })
}

export function blocksMadeBy(partition: number, at: number): Program<readonly Pick<BlockTable, 'session_id' | 'name'>[]> {
  return all(blocksOf, { partition, at })
}

/** Tells whether a partition got anything after a time. `known` is its known partition. */
export function* hasNewer(partition: number, known: number | undefined, at: number): Program<boolean> {
  const [own, byHand] = yield* abreast([first(newer, { partition, at }), first(handNewer, { partition: known ?? 0, at })])
  return own !== undefined || byHand !== undefined
}

export function* sessionHasNewer(partition: number, session: number, at: number): Program<boolean> {
  return (yield* first(newerInSession, { partition, session, at })) !== undefined
}

/** Returns messages by their present ordinals. */
export function messagesInRun(partition: number, from: number, to: number, limit: number): Program<readonly MessagePlace[]> {
  return all(inRun, { partition, from, to, limit })
}

/** Returns the messages of a session that were said before a time, and recorded by another. */
export function saidInSession(partition: number, session: number, before: number, at: number): Program<readonly MessagePlace[]> {
  return all(inSession, { partition, session, before, at })
}

/** Tells whether a partition has a message that was said before a time, and recorded by another. */
export function* hasSaid(partition: number, before: number, at: number): Program<boolean> {
  return (yield* first(anySaid, { partition, before, at })) !== undefined
}

/** Returns the replaced messages of a partition. */
export function movedMessages(partition: number): Program<readonly MessagePlace[]> {
  return all(moved, { partition })
}

/** Returns a message that was replaced, by its id. */
export function movedMessage(partition: number, uuid: Uint8Array): Program<MessagePlace | undefined> {
  return first(oneMoved, { partition, uuid })
}

export function* hasBankEntry(partition: number, uuid: Uint8Array): Program<boolean> {
  return (yield* first(bankEntry, { partition, uuid })) !== undefined
}

/** Returns how many entries a bank has, and the time of the newest. */
export function* bankAge(partition: number, at: number): Program<{ readonly entries: number; readonly newest: number }> {
  const row = yield* first(bankTimes, { partition, at })
  return { entries: row?.entries ?? 0, newest: Number(row?.newest ?? 0) }
}
