import { extractive } from '../../models/writer.ts'
import { linkedStates } from './assertion-ends.ts'
import type { AssertionTable } from '../known-tables.ts'
import type { Program } from '../program.ts'

/** Below this confidence a statement of the extractive writer is read loosely. */
export const leastSure = 0.5

/** Tells whether a statement was read loosely. It counts once it ends another one, or another one ends it. */
export function isLoose({ writer, confidence }: Pick<AssertionTable, 'writer' | 'confidence'>): boolean {
  return writer === extractive && confidence < leastSure
}

/** Leaves out what was read loosely, unless another statement ends it or is ended by it. */
export function* countedRows(partition: number, rows: readonly AssertionTable[]): Program<readonly AssertionTable[]> {
  const doubtful = rows.filter(isLoose)
  if (doubtful.length === 0) return rows
  const linked = yield* linkedStates(
    partition,
    doubtful.map(({ ord }) => ord),
  )
  return rows.filter((row) => !isLoose(row) || linked.has(row.ord))
}
