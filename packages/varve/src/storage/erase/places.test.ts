import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withinPlaces } from './places.ts'

const place = fc.integer({ min: 1, max: 40 })

test('a range is found where a place lies within it', () => {
  fc.assert(
    fc.property(fc.option(fc.array(place), { nil: undefined }), fc.array(fc.tuple(place, place)), (seqs, ranges) => {
      const within = withinPlaces(seqs)
      for (const [from, to] of ranges) expect(within(from, to)).toBe(seqs === undefined || seqs.some((seq) => seq >= from && seq <= to))
    }),
  )
})
