import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Segment } from './segment.ts'

/** Gives the bytes of this thread's objects and arrays, without those that nothing holds any more. */
function measured(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

// requirement: PART-20
test('the estimate of a small segment holds its objects too: a bound in bytes bounds many idle users', () => {
  const many = 2_000
  const before = measured()
  const segments = Array.from({ length: many }, (_, partition) => {
    const segment = new Segment(partition, 1)
    segment.postings.sort(8)
    return segment
  })
  const each = (measured() - before) / many
  expect(each).toBeGreaterThan(10_000)
  for (const { bytes } of segments) expect(bytes).toBeGreaterThan(each)
})
