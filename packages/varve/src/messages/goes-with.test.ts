import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningFor, beginningIn, idThatGoesWith, namedIn } from './goes-with.ts'

const line = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(':', ',', '#', '/', '1', 'a', '🎈'), minLength: 1 }),
)
const endings = fc.uniqueArray(fc.constantFrom('', '/said', '#2', '#3', '/said#2'), { minLength: 1 })

test('an id names the messages of which it was made, whatever signs they have, and is found by each', () => {
  fc.assert(
    fc.property(line, endings, fc.string(), (source, of, own) => {
      const ids = of.map((ending) => `${source}${ending}`)
      const made = idThatGoesWith(ids, own)
      expect(namedIn(made)).toEqual(ids)
      for (const id of ids) expect(beginningIn(made)).toBe(beginningFor(id))
    }),
  )
})

test.each(['', 'm1', 'goes-with', 'goes-with::', 'goes-with:x:m1::own', 'transcript-00'])('%j names no message', (id) => {
  expect(namedIn(id)).toEqual([])
})
