import { sql } from 'kysely'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'

/** The number of statements of a fact, and its last statement. */
export interface FactUse {
  readonly fact: Uint8Array
  readonly uses: number
  readonly ord: number
}

// A literal for `says`, as in all queries: 0 means that the fact holds.
const most = statement<{ partition: number; limit: number }>()((db, p) =>
  db
    .selectFrom('assertion')
    .select((e) => ['fact', e.fn.countAll<number>().as('uses'), e.fn.max<number>('ord').as('ord')])
    .where('partition_id', '=', p('partition'))
    .where('says', '=', sql<number>`0`)
    .where('withdrawn_at', 'is', null)
    .groupBy('fact')
    .orderBy('uses', 'desc')
    .orderBy('ord', 'desc')
    .limit(p('limit')),
)

const since = statement<{ partition: number; after: number }>()((db, p, d) =>
  db
    .selectFrom('assertion as stated')
    .select((e) => ['stated.fact', e.fn.countAll<number>().as('uses'), e.fn.max<number>('stated.ord').as('ord')])
    .where(
      'stated.fact',
      'in',
      db.selectFrom('assertion').select('fact').where('partition_id', '=', p('partition')).where('ord', '>', p('after')),
    )
    .where(sql<number>`+stated.partition_id`, '=', p('partition'))
    .$call(d.within(p('partition'), 'stated'))
    .where('stated.says', '=', sql<number>`0`)
    .where('stated.withdrawn_at', 'is', null)
    .groupBy('stated.fact'),
)

/** Returns the facts with the most statements; among equals the newest first. */
export function mostUsed(partition: number, limit: number): Program<readonly FactUse[]> {
  return all(most, { partition, limit })
}

/** Returns the facts that were stated after an ordinal. */
export function usedSince(partition: number, after: number): Program<readonly FactUse[]> {
  return all(since, { partition, after })
}
