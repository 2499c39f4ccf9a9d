import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JournalPlace, PlaceSeal, placeLengths } from './place.ts'

const seal = new PlaceSeal('secret')
const number = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const places = fc.record<JournalPlace>({ id: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), project: number, partition: number })

test('a sealed place comes back as it was, and only its own store opens it', () => {
  fc.assert(
    fc.property(places, (place) => {
      for (const sealed of [seal.ofRow(place), seal.ofNow(place)]) {
        expect(sealed.length).toBeOneOf([...placeLengths])
        expect(seal.opened(sealed)).toEqual(place)
      }
      expect(seal.ofRow(place)).toBe(seal.ofRow(place))
    }),
  )
  const place = { id: 2 ** 50, project: 1, partition: 2 }
  expect(new PlaceSeal('another').opened(seal.ofRow(place))).toBeUndefined()
})

test('the place of now looks different each time', () => {
  for (const id of [7, 2 ** 45]) {
    const sealed = Array.from({ length: 20 }, () => seal.ofNow({ id, project: 1, partition: 0 }))
    expect(new Set(sealed).size).toBeGreaterThan(15)
  }
})

test('half of one place does not fit to half of another', () => {
  const [one, other] = [
    { id: 2 ** 45, project: 1, partition: 0 },
    { id: 2 ** 46, project: 2, partition: 0 },
  ].map((place) => Buffer.from(seal.ofRow(place), 'base64url'))
  const spliced = Buffer.concat([one?.subarray(0, 16) ?? Buffer.alloc(0), other?.subarray(16) ?? Buffer.alloc(0)])
  expect(seal.opened(spliced.toString('base64url'))).toBeUndefined()
})
