import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that lets others have their turn wherever it yields. */
export type Sliced<Result> = Generator<void, Result>

/** The longest slice on the host's event loop, and the longest one while other work waits. */
const sliceMs = 2
const sliceWhileOthersWaitMs = 0.2

/** The last work that is done in slices. One at a time, so that a turn of the event loop holds one slice. */
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Does short work at once. Of longer work it does the begin at once and the rest slice by slice, with turns for others
 * between.
 */
export function inSlices<Result>(work: Sliced<Result>): Result | Promise<Result> {
  const done = slice(work, waiting === 0 ? sliceMs : sliceWhileOthersWaitMs)
  return done === undefined ? later(work) : done.result
}

/** Does some work in one go. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
  }
}

async function later<Result>(work: Sliced<Result>): Promise<Result> {
  waiting += 1
  const result = last.then(async () => {
    for (;;) {
      await nextTurn()
      const done = slice(work, sliceMs)
      if (done !== undefined) return done.result
    }
  })
  last = Promise.allSettled([result])
  try {
    return await result
  } finally {
    waiting -= 1
  }
}

/** Does a slice of some work; undefined when there is more of it. */
function slice<Result>(work: Sliced<Result>, ms: number): { readonly result: Result } | undefined {
  const until = performance.now() + ms
  for (;;) {
    const next = work.next()
    if (next.done === true) return { result: next.value }
    if (performance.now() > until) return undefined
  }
}
