import type { JournalTable } from '../door-tables.ts'
import { abreast, all, change, first, type Program, runList, type SingleStep } from '../program.ts'
import { statement } from '../statement.ts'
import { silentKinds } from './kinds.ts'

/** The bounds of the journal: the newest rows, for as long as this. */
export const journalBounds = { rows: 100_000, keptMs: 30 * 86_400_000 }

/** The most rows that one pruning drops. Appends prune so often that no more come in between. */
const prunedAtOnce = 2_000

const newestOver = statement<{ most: number }>()((db, p, d) => db.selectNoFrom(d.journalRow(p('most')).as('id')))

const oldest = statement<{ pruned: number; limit: number }>()((db, p) =>
  db.selectFrom('journal').select(['id', 'at']).where('kind', '!=', p('pruned')).orderBy('id').limit(p('limit')),
)

const dropUpTo = statement<{ id: number }>()((db, p) => db.deleteFrom('journal').where('id', '<=', p('id')))

const keepPlace = statement<Pick<JournalTable, 'kind' | 'at' | 'ref'> & { id: number }>()((db, p) =>
  db
    .insertInto('journal')
    .values({
      id: p('id'),
      project_id: 0,
      partition_id: 0,
      session_id: 0,
      kind: p('kind'),
      first_ord: 0,
      last_ord: 0,
      ref: p('ref'),
      count: 0,
      at: p('at'),
    }),
)

/** Drops some of the rows that are too many or too old. A silent row keeps the place up to which rows are gone. */
export function* pruneJournal(now: number, bounds = journalBounds): Program<void> {
  yield* runList(yield* journalPruning(now, bounds))
}

/** Returns the steps of pruneJournal(), to run in a list. */
export function* journalPruning(now: number, { rows: most, keptMs } = journalBounds): Program<readonly SingleStep[]> {
  const [newest, one] = yield* abreast([first(newestOver, { most }), first(oldest, { pruned: silentKinds.pruned, limit: 1 })])
  const over = newest?.id ?? 0
  const isOver = ({ id, at }: { readonly id: number; readonly at: number }): boolean => id <= over || at < now - keptMs
  if (one === undefined || !isOver(one)) return []
  const rows = yield* all(oldest, { pruned: silentKinds.pruned, limit: prunedAtOnce })
  const kept = rows.findIndex((row) => !isOver(row))
  const end = kept === -1 ? rows.at(-1) : rows[kept - 1]
  if (end === undefined) return []
  const place = { id: end.id, kind: silentKinds.pruned, at: end.at, ref: new Uint8Array(0) }
  return [change(dropUpTo, { id: end.id }), change(keepPlace, place)]
}
