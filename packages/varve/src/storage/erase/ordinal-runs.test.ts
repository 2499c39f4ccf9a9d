import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInRuns, runsIn, runsText } from './ordinal-runs.ts'

test('ordinals come back as runs', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 32 - 1 }))), fc.nat({ max: 400 }), (ordinals, other) => {
      const runs = runsIn(runsText(ordinals))
      for (const ordinal of ordinals) expect(isInRuns(runs, ordinal)).toBe(true)
      expect(isInRuns(runs, other)).toBe(ordinals.includes(other))
      expect(runs.reduce((sum, [from, to]) => sum + to - from + 1, 0)).toBe(new Set(ordinals).size)
    }),
  )
})

test('neighbours take a few characters, and ordinals apart take some bytes each', () => {
  expect(runsText(Array.from({ length: 100_000 }, (_, at) => 5_000_000 + at)).length).toBeLessThan(12)
  expect(runsText(Array.from({ length: 100_000 }, (_, at) => 7 * at)).length).toBeLessThan(300_000)
})
