import { sql } from 'kysely'
import { first, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { says, whoseWords } from './assertions.ts'

const statements = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('assertion')
    .select(sql<number>`count(*)`.as('count'))
    .where('partition_id', '=', p('partition'))
    .where('of_other', '=', sql<number>`${sql.lit(whoseWords.noted)}`),
)

/** A note stands until somebody takes it back or corrects it, and again when it is noted anew. */
const standing = statement<{ partition: number }>()((db, p) =>
  db
    .selectFrom('assertion as noted')
    .select(sql<number>`count(distinct fact)`.as('count'))
    .where('noted.partition_id', '=', p('partition'))
    .where('noted.of_other', '=', sql<number>`${sql.lit(whoseWords.noted)}`)
    .where('noted.says', '=', sql<number>`${sql.lit(says.is)}`)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('assertion as later')
            .select('later.ord')
            .whereRef('later.partition_id', '=', 'noted.partition_id')
            .whereRef('later.fact', '=', 'noted.fact')
            .whereRef('later.ord', '>', 'noted.ord')
            .where('later.says', '=', sql<number>`${sql.lit(says.wrong)}`),
        ),
      ),
    )
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('assertion as instead')
            .select('instead.ord')
            .whereRef('instead.partition_id', '=', 'noted.partition_id')
            .whereRef('instead.subject_key', '=', 'noted.subject_key')
            .whereRef('instead.predicate_key', '=', 'noted.predicate_key')
            .whereRef('instead.instead_key', '=', 'noted.object_key')
            .whereRef('instead.ord', '>', 'noted.ord'),
        ),
      ),
    ),
)

/** Counts the statements that agents noted, and the facts of them that stand. */
export function* countNoted(known: number): Program<{ readonly statements: number; readonly facts: number }> {
  const all = Number((yield* first(statements, { partition: known }))?.count ?? 0)
  return { statements: all, facts: all === 0 ? 0 : Number((yield* first(standing, { partition: known }))?.count ?? 0) }
}
