import { setImmediate } from 'node:timers/promises'
import { Cancelled } from '../../errors/cancelled.ts'
import type { MovedTable } from '../../storage/moving.ts'
import { advanced, type Mark } from './mark.ts'
import type { MoveRequest, Sides } from './request.ts'

type Asked = Pick<MoveRequest, 'signal' | 'onProgress'>

/** Copies the rows that the target lacks, table by table, and returns the mark after the last one. */
export async function copyRows({ source, target }: Sides, given: Mark, request: Asked): Promise<Mark> {
  let mark = given
  const total = Object.values(mark.totals).reduce((sum, rows) => sum + rows, 0)
  for (const table of source.tables) {
    let storing: Promise<void> = Promise.resolve()
    try {
      for await (const rows of source.rows(table, mark.done[table.name] ?? 0)) {
        // One batch is read while the other one is stored.
        await storing
        await goOn(request.signal)
        request.onProgress?.({ doing: 'rows', done: mark.moved, total })
        const after = advanced(mark, table, rows.length)
        storing = target.store(sameTable(target.tables, table), rows, { before: mark.text, after: after.text })
        // A failure is told when the next batch is there, and not as one that nobody awaits.
        void Promise.allSettled([storing])
        mark = after
      }
    } finally {
      // Nothing may be under way when the stores are let go of.
      await Promise.allSettled([storing])
    }
    await storing
  }
  return mark
}

/** The columns have the same order on both sides; each has its own order of the rows. */
export function sameTable(tables: readonly MovedTable[], { name }: MovedTable): MovedTable {
  const found = tables.find((table) => table.name === name)
  if (found === undefined) throw new TypeError(`the tables of both stores were compared, and ${name} is missing`)
  return found
}

/** Gives timers and signals a turn: SQLite reads and writes without one. */
export async function goOn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate()
  if (signal?.aborted === true) throw new Cancelled({ operation: 'move' }, { cause: signal.reason })
}
