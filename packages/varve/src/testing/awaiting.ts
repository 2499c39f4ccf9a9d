import type { Program, Step } from '../storage/program.ts'

/**
 * Runs a program as an engine over a network does: after each step every other program gets its turn. The memory that
 * rooms keep between programs must stay right meanwhile.
 *
 * `answer` runs one step and returns its rows.
 */
export async function awaiting<Result>(
  program: Program<Result>,
  answer: (step: Step) => readonly unknown[] | Promise<readonly unknown[]>,
): Promise<Result> {
  let next = program.next([])
  while (next.done !== true) {
    let rows: readonly unknown[]
    try {
      rows = await answer(next.value)
      await new Promise<void>((resolve) => setImmediate(resolve))
    } catch (error) {
      next = program.throw(error)
      continue
    }
    next = program.next(rows)
  }
  return next.value
}
