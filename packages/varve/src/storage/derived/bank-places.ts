import { type SqlBool, sql } from 'kysely'
import { type Program, all, first } from '../program.ts'
import { statement } from '../statement.ts'

// These queries read only indexes: an entry's row is long, and the caller keeps most of a bank in memory.
//
// Without statistics SQLite assumes ten rows a partition. So the condition of a partial index is a literal, and lookups
// in the table come last.

const newestOn = statement<{ partition: number; rung: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', sql<number>`1`)
    .where('rung', '=', p('rung'))
    .orderBy(d.bytewise(sql.ref('period')), 'desc')
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const uncoveredOn = statement<{ partition: number; rung: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', sql<number>`1`)
    .where('covered_by', '=', sql<number>`0`)
    .where('rung', '=', p('rung'))
    .orderBy(d.bytewise(sql.ref('period')), 'desc')
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const oldestUncoveredOn = statement<{ partition: number; rung: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select(['ord', 'period'])
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', sql<number>`1`)
    .where('covered_by', '=', sql<number>`0`)
    .where('rung', '=', p('rung'))
    .orderBy(d.bytewise(sql.ref('period')))
    .orderBy('ord')
    .limit(p('limit')),
)

const countUncovered = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('item')
    .select((e) => e.fn.countAll<number>().as('leaves'))
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', sql<number>`1`)
    .where('covered_by', '=', sql<number>`0`)
    .where('rung', '=', 0),
)

const pinnedIn = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('item')
    .select(['ord', 'rung', 'covered_by'])
    .where('partition_id', '=', p('partition'))
    .where(
      'ord',
      'in',
      db
        .selectFrom('item')
        .select('ord')
        .where('partition_id', '=', p('partition'))
        .where('kind', '=', sql<number>`1`)
        .where('pinned', '=', sql<number>`1`),
    ),
)

const inPeriods = statement<{ partition: number; places: string }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('kind', '=', sql<number>`1`)
    .where(sql<SqlBool>`(rung, period) in ${d.pairs(p('places'))}`),
)

const titlesOf = statement<{ partition: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('item')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'item.session_id').$call(d.atHome('session')))
    .select(['item.ord', 'session.external_id as session', 'session.name as name'])
    .where('item.partition_id', '=', p('partition'))
    .where('item.ord', 'in', d.numbers(p('ords'))),
)

/** Returns the ordinals of a rung's entries, the newest period first. */
export function* newestOnRung(partition: number, rung: number, limit: number): Program<readonly number[]> {
  return (yield* all(newestOn, { partition, rung, limit })).map(({ ord }) => ord)
}

/** Returns the ordinals of a rung's entries that no digest covers, the newest period first. */
export function* uncoveredOnRung(partition: number, rung: number, limit: number): Program<readonly number[]> {
  return (yield* all(uncoveredOn, { partition, rung, limit })).map(({ ord }) => ord)
}

/** Returns the places of a rung's entries that no digest covers, the oldest period first. */
export function oldestUncoveredOnRung(partition: number, rung: number, limit: number): Program<readonly { ord: number; period: string }[]> {
  return all(oldestUncoveredOn, { partition, rung, limit })
}

/** Counts the leaves that no digest covers. */
export function* countUncoveredLeaves(partition: number): Program<number> {
  return (yield* first(countUncovered, { partition }))?.leaves ?? 0
}

/** Returns the places of pinned entries, and whether a digest covers each. */
export function* pinnedPlaces(partition: number): Program<readonly { ord: number; rung: number; isCovered: boolean }[]> {
  return (yield* all(pinnedIn, { partition })).map(({ ord, rung, covered_by: coveredBy }) => ({ ord, rung, isCovered: coveredBy !== 0 }))
}

/** Returns the ordinals of the digests of some periods, each a rung and a path. */
export function* digestsOf(partition: number, places: readonly { rung: number; period: string }[]): Program<readonly number[]> {
  return (yield* all(inPeriods, { partition, places: JSON.stringify(places.map(({ rung, period }) => [rung, period])) })).map(
    ({ ord }) => ord,
  )
}

/** Returns the session names of some leaves by ordinal: the caller's title, or else the session's id. */
export function* titlesAt(partition: number, ords: readonly number[]): Program<ReadonlyMap<number, string>> {
  return new Map((yield* all(titlesOf, { partition, ords: JSON.stringify(ords) })).map(({ ord, session, name }) => [ord, name ?? session]))
}
