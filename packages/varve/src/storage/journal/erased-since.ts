import { all, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { journalEnds } from './ends.ts'
import { numberOfKind, silentKinds } from './kinds.ts'

/** The erasures that a reader was told of. */
export interface ErasureMark {
  /** The number of a row of the journal: all up to it are known. */
  readonly place: number
  /** The numbers of rows after the place that are known too. While an older transaction runs, the place waits for it. */
  readonly ahead: readonly number[]
}

/** The erasures after a mark, and the next mark. */
export interface ErasedSince extends ErasureMark {
  /** The projects in which something was erased, with the number of erasures in each. */
  readonly projects: readonly { readonly project: string; readonly erasures: number }[]
  /** True when a whole project was erased, or when the rows after the place are no longer known. */
  readonly isAll: boolean
}

/** The most rows that are remembered ahead of a place. With more, each look tells of an erasure of everything. */
const mostAhead = 1_000

const kinds = { forgotten: numberOfKind('forgotten'), deleted: silentKinds.deleted }

// An erasure is told when it is done, also while an older transaction keeps the place from moving on.
const erasures = statement<{ after: number; ahead: string; forgotten: number; deleted: number }>()((db, p, d) =>
  db
    .selectFrom('journal')
    .leftJoin('project', 'project.id', 'journal.project_id')
    .select((e) => ['project.name as project', e.fn.count<number>('journal.ref').distinct().as('erasures')])
    .where('journal.id', '>', p('after'))
    .where('journal.id', 'not in', d.numbers(p('ahead')))
    .where((e) => e.or([e('journal.kind', '=', p('forgotten')), e('journal.kind', '=', p('deleted'))]))
    .groupBy('project.name'),
)

const rowsAfter = statement<{ place: number; limit: number; forgotten: number; deleted: number }>()((db, p) =>
  db
    .selectFrom('journal')
    .select('id')
    .where('id', '>', p('place'))
    .where((e) => e.or([e('kind', '=', p('forgotten')), e('kind', '=', p('deleted'))]))
    .orderBy('id')
    .limit(p('limit')),
)

/** Returns what was erased after a mark, by any process. Without one it gives the mark of now. */
export function* erasedSince(after: ErasureMark | undefined): Program<ErasedSince> {
  const { newest: place, last, pruned } = yield* journalEnds()
  const rows = last > place ? yield* all(rowsAfter, { place, limit: mostAhead + 1, ...kinds }) : []
  const isOver = rows.length > mostAhead
  const mark = { place, ahead: isOver ? [] : rows.map(({ id }) => id) }
  if (after === undefined || (after.place === place && rows.length === 0)) return { ...mark, projects: [], isAll: isOver }
  // An older copy of the store has fewer rows.
  if (place < after.place || pruned > after.place || isOver) return { ...mark, projects: [], isAll: true }
  const found = yield* all(erasures, { after: after.place, ahead: JSON.stringify(after.ahead), ...kinds })
  return {
    ...mark,
    projects: found.flatMap(({ project, erasures: count }) => (project === null ? [] : [{ project, erasures: count }])),
    isAll: found.some(({ project }) => project === null),
  }
}
