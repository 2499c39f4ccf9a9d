import { type SqlBool, sql } from 'kysely'
import { type Program, all, first } from '../program.ts'
import { statement } from '../statement.ts'

// Read from indexes alone: an entry's row is long, and most of a bank is known from the time before. Without statistics SQLite takes a
// partition for ten rows, so that what an index is made for stands as a literal, and what is looked up in the table comes after.

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
    .innerJoin('session', 'session.id', 'item.session_id')
    .select(['item.ord', 'session.external_id as session', 'session.name as name'])
    .where('item.partition_id', '=', p('partition'))
    .where('item.ord', 'in', d.numbers(p('ords'))),
)

/** The ordinals of a rung's entries, the newest period first. */
export function* newestOnRung(partition: number, rung: number, limit: number): Program<readonly number[]> {
  return (yield* all(newestOn, { partition, rung, limit })).map(({ ord }) => ord)
}

/** The same, of those that no digest covers. */
export function* uncoveredOnRung(partition: number, rung: number, limit: number): Program<readonly number[]> {
  return (yield* all(uncoveredOn, { partition, rung, limit })).map(({ ord }) => ord)
}

/** Where entries of a rung stand that no digest covers, the oldest period first. */
export function oldestUncoveredOnRung(partition: number, rung: number, limit: number): Program<readonly { ord: number; period: string }[]> {
  return all(oldestUncoveredOn, { partition, rung, limit })
}

/** How many leaves no digest covers. */
export function* countUncoveredLeaves(partition: number): Program<number> {
  return (yield* first(countUncovered, { partition }))?.leaves ?? 0
}

/** Where pinned entries stand, and whether a digest covers them. */
export function* pinnedPlaces(partition: number): Program<readonly { ord: number; rung: number; isCovered: boolean }[]> {
  return (yield* all(pinnedIn, { partition })).map(({ ord, rung, covered_by: coveredBy }) => ({ ord, rung, isCovered: coveredBy !== 0 }))
}

/** The ordinals of the digests of some periods, each a rung and a path. */
export function* digestsOf(partition: number, places: readonly { rung: number; period: string }[]): Program<readonly number[]> {
  return (yield* all(inPeriods, { partition, places: JSON.stringify(places.map(({ rung, period }) => [rung, period])) })).map(
    ({ ord }) => ord,
  )
}

/** How the sessions of some leaves are called, by ordinal: by the caller's title, or else by their id. */
export function* titlesAt(partition: number, ords: readonly number[]): Program<ReadonlyMap<number, string>> {
  return new Map((yield* all(titlesOf, { partition, ords: JSON.stringify(ords) })).map(({ ord, session, name }) => [ord, name ?? session]))
}
