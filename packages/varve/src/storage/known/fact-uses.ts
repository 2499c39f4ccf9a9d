import { sql } from 'kysely'
import { type Program, all } from '../program.ts'
import { statement } from '../statement.ts'

/** How often a fact was stated, and its last statement. */
export interface FactUse {
  readonly fact: Uint8Array
  readonly uses: number
  readonly ord: number
}

// A literal for what the statement says, as everywhere: 0 is that it holds.
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

const since = statement<{ partition: number; after: number }>()((db, p) =>
  db
    .selectFrom('assertion as stated')
    .select((e) => ['stated.fact', e.fn.countAll<number>().as('uses'), e.fn.max<number>('stated.ord').as('ord')])
    .where(
      'stated.fact',
      'in',
      db.selectFrom('assertion').select('fact').where('partition_id', '=', p('partition')).where('ord', '>', p('after')),
    )
    .where(sql<number>`+stated.partition_id`, '=', p('partition'))
    .where('stated.says', '=', sql<number>`0`)
    .where('stated.withdrawn_at', 'is', null)
    .groupBy('stated.fact'),
)

/** The facts that were stated most often, the newest first of those that were as often. */
export function mostUsed(partition: number, limit: number): Program<readonly FactUse[]> {
  return all(most, { partition, limit })
}

/** The facts of which something was said after an ordinal. */
export function usedSince(partition: number, after: number): Program<readonly FactUse[]> {
  return all(since, { partition, after })
}
