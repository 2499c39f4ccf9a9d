import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningFor, beginningIn, idThatGoesWith, mostNamed, namedIn } from './goes-with.ts'

const line = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(':', ',', '#', '/', '1', 'a', '🎈'), minLength: 1 }),
)
const endings = fc.uniqueArray(fc.constantFrom('', '/said', '#2', '#3', '/said#2'), { minLength: 1 })

test('an id names the messages of which it was made, whatever signs they have, and is found by each', () => {
  fc.assert(
    fc.property(line, endings, fc.string(), (source, of, own) => {
      const ids = of.map((ending) => `${source}${ending}`)
      const made = idThatGoesWith(ids, own) ?? ''
      expect(namedIn(made)).toEqual(ids)
      for (const id of ids) expect(beginningIn(made)).toBe(beginningFor(id))
    }),
  )
})

test.each(['', 'm1', 'goes-with', 'goes-with::', 'goes-with:x:m1::own', 'transcript-00'])('%j names no message', (id) => {
  expect(namedIn(id)).toEqual([])
})

const manyIds = (count: number) => Array.from({ length: count }, (_, place) => (place === 0 ? 'line' : `line#${place + 1}`))

test('an id is made for what it can name and hold, and names that much', () => {
  const most = idThatGoesWith(manyIds(mostNamed), 'own') ?? ''
  expect(namedIn(most)).toHaveLength(mostNamed)
  expect(idThatGoesWith(manyIds(mostNamed + 1), 'own')).toBeUndefined()
  expect(namedIn(most.replace(':own', ',#99:own'))).toEqual([])
  // An external id has at most 512 bytes: with the number of its last piece it must fit.
  for (const long of ['a', 'é', '🎈'])
    for (let length = 100; length < 520; length += 1) {
      const made = idThatGoesWith([long.repeat(length)], 'own')
      if (made !== undefined) expect(namedIn(made)).toEqual([long.repeat(length)])
      expect(made !== undefined).toBe(Buffer.byteLength(`goes-with:${length}:${long.repeat(length)}::own`) <= 500)
    }
  expect(idThatGoesWith(['a'.repeat(1_200)], 'own')).toBeUndefined()
})
