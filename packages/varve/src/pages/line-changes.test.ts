import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesLookedFor, lineChanges } from './line-changes.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })

test('changes lead from what stood to what stands, and leave what stands at both ends', () => {
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const changes = lineChanges(old, now)
      expect(changes.flatMap(({ added, value }) => (added ? [] : value))).toEqual(old)
      expect(changes.flatMap(({ removed, value }) => (removed ? [] : value))).toEqual(now)
    }),
  )
})

test('a page of which more lines changed than are looked for counts as rewritten, from the first that differs to the last', () => {
  const old = Array.from({ length: 3_000 }, (_, at) => `line ${at}`)
  const now = old.map((line, at) => (at > 9 && at < 2_990 ? `${line}!` : line))
  expect(lineChanges(old, now).map(({ added, removed, value }) => [added, removed, value.length])).toEqual([
    [false, false, 10],
    [false, true, 2_980],
    [true, false, 2_980],
    [false, false, 10],
  ])
})

test('the longer the pages, the fewer changes are looked for', () => {
  expect([0, 1_000, 10_000, 100_000, 10_000_000].map(changesLookedFor)).toEqual([500, 500, 500, 50, 1])
})
