import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work on a page that may be put down after each step, a few ms long, so that others have their turn. */
export type Turns<Result> = Generator<undefined, Result>

/** Does all of it, and lets others have their turn in between. */
export async function inTurns<Result>(work: Turns<Result>): Promise<Result> {
  let next = work.next()
  while (next.done !== true) {
    await nextTurn()
    next = work.next()
  }
  return next.value
}

/** Does all of it at once. */
export function inOneGo<Result>(work: Turns<Result>): Result {
  let next = work.next()
  while (next.done !== true) next = work.next()
  return next.value
}
