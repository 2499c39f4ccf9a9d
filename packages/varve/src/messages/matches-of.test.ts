import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesOf } from './matches-of.ts'

test.each([/(?=.)/gu, /\b/gu, /a*/gu, /[^a]/gu, /(?=.)/g])('%s finds what matchAll finds', (pattern) => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b ', '😀', '\n', 'é') }), (text) => {
      expect(matchesOf(text, pattern).map(({ index, 0: found }) => [index, found])).toEqual(
        Array.from(text.matchAll(pattern), ({ index, 0: found }) => [index, found]),
      )
    }),
  )
})
