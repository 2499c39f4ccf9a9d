import { sql } from 'kysely'
import type { AssertionEndTable, AssertionTable } from '../known-tables.ts'
import { abreast, all, change, type Program, runLast, type SingleStep } from '../program.ts'
import type { Ordinals } from '../segment/terms.ts'
import { statement } from '../statement.ts'

/** A statement that waits for its comparison, and the earlier ones that a later one ends, by their ordinals. */
export interface ComparedStates {
  readonly partition: number
  readonly compared: readonly number[]
  readonly ends: readonly { readonly later: number; readonly earlier: number }[]
}

/** The most statements that are compared in one go. */
const mostFresh = 200

const fresh = statement<{ partition: number; limit: number }>()((db, p) =>
  db
    .selectFrom('assertion')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('compared', '=', sql<number>`0`)
    .orderBy('ord')
    .limit(p('limit')),
)

const setCompared = statement<Ordinals>()((db, p, d) =>
  db
    .updateTable('assertion')
    .set({ compared: 1 })
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const insertEnd = statement<AssertionEndTable>()((db, p) =>
  db
    .insertInto('assertion_end')
    .values({ partition_id: p('partition_id'), ended: p('ended'), ord: p('ord') })
    .onConflict((c) => c.doNothing()),
)

const removeEnded = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('assertion_end')
    .where('partition_id', '=', p('partition'))
    .where('ended', 'in', d.numbers(p('ords'))),
)

const removeEnding = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('assertion_end')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const ending = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('assertion_end')
    .innerJoin('assertion', (join) =>
      join.onRef('assertion.partition_id', '=', 'assertion_end.partition_id').onRef('assertion.ord', '=', 'assertion_end.ord'),
    )
    .selectAll('assertion')
    .select('assertion_end.ended')
    .where('assertion_end.partition_id', '=', p('partition'))
    .where('assertion_end.ended', 'in', d.numbers(p('ords'))),
)

const ended = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('assertion_end')
    .select('ended as ord')
    .where('partition_id', '=', p('partition'))
    .where('ended', 'in', d.numbers(p('ords'))),
)

const enders = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('assertion_end')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

/** Returns the statements that wait for their comparison, the first stored first. */
export function freshStates(partition: number): Program<readonly AssertionTable[]> {
  return all(fresh, { partition, limit: mostFresh })
}

/** Stores the outcome of a comparison. */
export function* noteStateEnds({ partition, compared, ends }: ComparedStates): Program<void> {
  yield* runLast([
    ...ends.map(({ later, earlier }) => change(insertEnd, { partition_id: partition, ended: earlier, ord: later })),
    change(setCompared, { partition, ords: JSON.stringify(compared) }),
  ])
}

/** Returns the statements that end some earlier ones in other words, each with the ordinal of the ended one. */
export function endingStates(
  partition: number,
  ords: readonly number[],
): Program<readonly (AssertionTable & { readonly ended: number })[]> {
  return all(ending, { partition, ords: JSON.stringify(ords) })
}

/** Returns those of the statements that end another in other words, or are ended so. */
export function* linkedStates(partition: number, ords: readonly number[]): Program<ReadonlySet<number>> {
  const asked = { partition, ords: JSON.stringify(ords) }
  return new Set((yield* abreast([all(ended, asked), all(enders, asked)])).flat().map(({ ord }) => ord))
}

/** The removal of all ends by and of some statements. */
export function endsDrops(ordinals: Ordinals): SingleStep[] {
  return [change(removeEnded, ordinals), change(removeEnding, ordinals)]
}
