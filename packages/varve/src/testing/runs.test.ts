import { expect, test } from 'vitest'
import { fewRuns, runs } from './runs.ts'

test.each([
  ['', 34],
  ['full', 100],
  ['1', 1],
  ['250', 250],
])('VARVE_RUNS=%j makes a hundred runs %i', (asked, count) => {
  expect(runs(100, asked)).toBe(count)
})

test.each([
  ['', 10],
  ['full', 100],
  ['250', 250],
])('VARVE_RUNS=%j makes %i of a hundred dear runs', (asked, count) => {
  expect(fewRuns(100, asked)).toBe(count)
})

test.each(['many', '0', '-3', '1.5', 'NaN', 'Infinity', 'Full'])('VARVE_RUNS=%s is refused by its name', (asked) => {
  expect(() => runs(100, asked)).toThrow(new RangeError(`VARVE_RUNS is "${asked}"; it must be a whole number from 1 on, or "full".`))
})
