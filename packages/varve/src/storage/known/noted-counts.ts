import { sql } from 'kysely'
import { first, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { says, whoseWords } from './assertions.ts'

const noted = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('assertion')
    .select([
      sql<number>`count(*)`.as('statements'),
      sql<number>`count(distinct case when says = ${sql.lit(says.is)} then fact end)`.as('facts'),
      sql<number>`count(distinct case when says = ${sql.lit(says.wrong)} then fact end)`.as('takenBack'),
    ])
    .where('partition_id', '=', p('partition'))
    .where('of_other', '=', sql<number>`${sql.lit(whoseWords.noted)}`),
)

/** Counts the statements that agents noted, and the facts of them that they did not take back. */
export function* countNoted(known: number): Program<{ readonly statements: number; readonly facts: number }> {
  const found = yield* first(noted, { partition: known })
  return { statements: Number(found?.statements ?? 0), facts: Number(found?.facts ?? 0) - Number(found?.takenBack ?? 0) }
}
