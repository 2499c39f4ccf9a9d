import { expect, test } from 'vitest'
import { inSlices, type Sliced } from './slices.ts'

/** Makes work of so many steps of a tenth of a millisecond. */
function* work<Result>(steps: number, result: Result): Sliced<Result> {
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + 0.1
    while (performance.now() < until);
    yield
  }
  return result
}

/** Counts the turns of the event loop until a promise is settled. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await done
  isDone = true
  return turns
}

test('short work is done at once', async () => {
  expect(inSlices(work(0, 'done'))).toBe('done')
  // A busy machine may take two milliseconds away from any of these, hardly from all.
  const results: unknown[] = []
  for (let one = 0; one < 20; one += 1) {
    const result = inSlices(work(1, 'done'))
    results.push(result)
    await result
  }
  expect(results).toContain('done')
})

test('long work lets the event loop come round, once for each slice', async () => {
  const done = inSlices(work(300, 'done'))
  expect(done).toBeInstanceOf(Promise)
  expect(await turnsUntil(Promise.resolve(done))).toBeGreaterThanOrEqual(10)
  expect(await done).toBe('done')
})

test('works that are long together take one slice of a turn, in the order in which they came', async () => {
  const order: number[] = []
  const works = Array.from({ length: 8 }, async (_, place) => {
    await inSlices(work(60, place))
    order.push(place)
  })
  // Eight times six milliseconds, two a turn; were each to take its own slice in a turn, there would be three.
  expect(await turnsUntil(Promise.all(works))).toBeGreaterThanOrEqual(12)
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('work that fails late rejects, and holds up nobody', async () => {
  function* failing(): Sliced<never> {
    yield* work(60, undefined)
    throw new RangeError('late')
  }
  const failed = inSlices(failing())
  const next = inSlices(work(60, 'next'))
  await expect(failed).rejects.toThrow('late')
  expect(await next).toBe('next')
})
