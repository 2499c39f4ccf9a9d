import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work on a page that may pause after each step of a few ms, so that other work has its turn. */
export type Turns<Result> = Generator<undefined, Result>

/** Runs all steps, and lets other work run in between. */
export async function inTurns<Result>(work: Turns<Result>): Promise<Result> {
  let next = work.next()
  while (next.done !== true) {
    await nextTurn()
    next = work.next()
  }
  return next.value
}

/** Runs all steps at once. */
export function inOneGo<Result>(work: Turns<Result>): Result {
  let next = work.next()
  while (next.done !== true) next = work.next()
  return next.value
}
