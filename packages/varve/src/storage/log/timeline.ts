import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Sized, TimedPlace } from '../listed.ts'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'

/** Messages of a partition by the time of saying: those said in a range of time, after a place of the timeline. */
export interface TimelineRange {
  readonly from: number
  readonly to: number
  /** The last message of the page before: its time and its ordinal. */
  readonly after: TimedPlace
  readonly order: 'newest' | 'oldest'
  /** Numbers of the only session, and of a session that is left out. */
  readonly session: number | undefined
  readonly excludeSession: number | undefined
}

interface Asked {
  readonly partition: number
  /** The bound on the far side of the order, inclusive. */
  readonly until: number
  /** The place before the first one: of the page before, or at the near bound. */
  readonly at: number
  readonly key: number
  readonly session: number
  readonly excluded: number
  readonly limit: number
}

/** No session has this number. */
const noSession = 0

/** Tells whether a session is wanted, as SQL. */
const isWanted = (p: <Name extends 'session' | 'excluded'>(name: Name) => number, d: Dialect) =>
  sql<boolean>`${d.number(p('session'))} in (${sql.lit(noSession)}, session_id) and session_id <> ${p('excluded')}`

// One bound on each side of the index: with a second one, the store begins each page at the first row of the range.
const newestFirst = statement<Asked>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['ord as key', 'said_at as at'])
    .where('partition_id', '=', p('partition'))
    .where('said_at', '>=', p('until'))
    .where(sql<boolean>`(said_at, ord) < (${p('at')}, ${p('key')})`)
    .where(isWanted(p, d))
    .orderBy('said_at', 'desc')
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const oldestFirst = statement<Asked>()((db, p, d) =>
  db
    .selectFrom('message')
    .select(['ord as key', 'said_at as at'])
    .where('partition_id', '=', p('partition'))
    .where('said_at', '<=', p('until'))
    .where(sql<boolean>`(said_at, ord) > (${p('at')}, ${p('key')})`)
    .where(isWanted(p, d))
    .orderBy('said_at')
    .orderBy('ord')
    .limit(p('limit')),
)

const sizes = statement<{ partition: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('message')
    .select([
      'ord as key',
      sql<number>`octet_length(content) + coalesce(octet_length(parts), 0) + coalesce(octet_length(metadata), 0)`.as('bytes'),
    ])
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

/** Returns places of the timeline in its order, from an index that holds all that is asked. */
export function timelinePlaces(partition: number, range: TimelineRange, limit: number): Program<readonly TimedPlace[]> {
  const { from, to, after, order, session = noSession, excludeSession: excluded = noSession } = range
  const others = { partition, session, excluded, limit }
  if (order === 'newest') {
    const first = to < after.at ? { at: to, key: Number.MAX_SAFE_INTEGER } : after
    return all(newestFirst, { ...others, until: from, ...first })
  }
  const first = from > after.at ? { at: from, key: 0 } : after
  return all(oldestFirst, { ...others, until: to, ...first })
}

/** Returns the sizes of messages by their ordinals, without those that are gone. */
export function* messageSizes(partition: number, ords: readonly number[]): Program<ReadonlyMap<number, number>> {
  const rows: readonly Sized[] = yield* all(sizes, { partition, ords: JSON.stringify(ords) })
  return new Map(rows.map(({ key, bytes }) => [key, bytes]))
}
