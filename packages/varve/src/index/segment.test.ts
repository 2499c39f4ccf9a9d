import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Segment } from './segment.ts'

/**
 * Gives the bytes of this thread's objects and arrays, without those that nothing holds any more. What files before this
 * one left goes in several turns of the event loop, so it is measured until it stands still.
 */
async function measured(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  let last = Number.POSITIVE_INFINITY
  for (let round = 0; round < 20; round += 1) {
    await setImmediate()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    if (Math.abs(heapUsed + external - last) < 1_000_000) return heapUsed + external
    last = heapUsed + external
  }
  return last
}

// requirement: PART-20
test('the estimate of a small segment holds its objects too: a bound in bytes bounds many idle users', async () => {
  const many = 2_000
  const before = await measured()
  const segments = Array.from({ length: many }, (_, partition) => {
    const segment = new Segment(partition, 1)
    for (const asked of ['one', 'two']) segment.wordsFor([{ variants: [asked] }])
    return segment
  })
  const each = ((await measured()) - before) / many
  expect(each).toBeGreaterThan(10_000)
  for (const { bytes } of segments) expect(bytes).toBeGreaterThan(each)
})
