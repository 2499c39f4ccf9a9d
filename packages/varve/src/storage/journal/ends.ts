import { first, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { silentKinds } from './kinds.ts'

const ends = statement<{ pruned: number }>()((db, p, d) =>
  db
    .selectFrom('journal')
    .select((e) => [
      e.fn.max<number | null>('id').as('newest'),
      e
        .selectFrom('journal')
        .select((inner) => inner.fn.max<number | null>('id').as('id'))
        .where('project_id', '=', 0)
        .where('kind', '=', p('pruned'))
        .as('pruned'),
    ])
    .where(d.settled()),
)

/** Returns the newest row of the journal, and the newest that is no longer kept; 0 for none. */
export function* journalEnds(): Program<{ readonly newest: number; readonly pruned: number }> {
  const found = yield* first(ends, { pruned: silentKinds.pruned })
  return { newest: found?.newest ?? 0, pruned: found?.pruned ?? 0 }
}
