import { all, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { journalEnds } from './ends.ts'
import { numberOfKind, silentKinds } from './kinds.ts'

/** The erasures after a place of the journal. A place is here the number of a row. */
export interface ErasedSince {
  /** The place after them. */
  readonly place: number
  /** The projects in which something was erased, with the number of erasures in each. */
  readonly projects: readonly { readonly project: string; readonly erasures: number }[]
  /** True when a whole project was erased, or when the rows after the place are no longer known. */
  readonly isAll: boolean
}

const erasures = statement<{ after: number; forgotten: number; deleted: number }>()((db, p, d) =>
  db
    .selectFrom('journal')
    .leftJoin('project', 'project.id', 'journal.project_id')
    .select((e) => ['project.name as project', e.fn.count<number>('journal.ref').distinct().as('erasures')])
    .where('journal.id', '>', p('after'))
    .where(d.settled())
    .where((e) => e.or([e('journal.kind', '=', p('forgotten')), e('journal.kind', '=', p('deleted'))]))
    .groupBy('project.name'),
)

/** Returns what was erased after a place, by any process. Without one it gives the place of now. */
export function* erasedSince(after: number | undefined): Program<ErasedSince> {
  const { newest: place, pruned } = yield* journalEnds()
  if (after === undefined || after === place) return { place, projects: [], isAll: false }
  // An older copy of the store has fewer rows.
  if (place < after || pruned > after) return { place, projects: [], isAll: true }
  const rows = yield* all(erasures, { after, forgotten: numberOfKind('forgotten'), deleted: silentKinds.deleted })
  return {
    place,
    projects: rows.flatMap(({ project, erasures: count }) => (project === null ? [] : [{ project, erasures: count }])),
    isAll: rows.some(({ project }) => project === null),
  }
}
