import { first, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { silentKinds } from './kinds.ts'

const ends = statement<{ pruned: number }>()((db, p, d) =>
  db.selectNoFrom((e) => [
    e
      .selectFrom('journal')
      .select((inner) => inner.fn.max<number | null>('id').as('id'))
      .where(d.settled())
      .as('newest'),
    e
      .selectFrom('journal')
      .select((inner) => inner.fn.max<number | null>('id').as('id'))
      .as('last'),
    e
      .selectFrom('journal')
      .select((inner) => inner.fn.max<number | null>('id').as('id'))
      .where('project_id', '=', 0)
      .where('kind', '=', p('pruned'))
      .as('pruned'),
  ]),
)

/** Places of the journal: numbers of rows, 0 for none. */
export interface JournalEnds {
  /** The newest row before which none will come. */
  readonly newest: number
  /** The newest row of all. */
  readonly last: number
  /** The newest row that is no longer kept. */
  readonly pruned: number
}

/** Returns the ends of the journal. */
export function* journalEnds(): Program<JournalEnds> {
  const found = yield* first(ends, { pruned: silentKinds.pruned })
  return { newest: found?.newest ?? 0, last: found?.last ?? 0, pruned: found?.pruned ?? 0 }
}
