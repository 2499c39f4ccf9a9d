import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gaps, type OrdinalRange, withRange } from './ordinals.ts'

const range = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.nat(6)).map(([from, more]): OrdinalRange => [from, from + more])

test('ranges and gaps are what a set of numbers would be', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), fc.integer({ min: 1, max: 50 }), (added, seq) => {
      const set = new Set(added.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, place) => from + place)))
      const done = added.reduce<OrdinalRange[]>(withRange, [])
      expect(done.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, place) => from + place))).toEqual(
        [...set].toSorted((a, b) => a - b),
      )
      const open = gaps(done, seq).flatMap(({ after, upTo }) => Array.from({ length: upTo - after }, (_, place) => upTo - place))
      expect(open).toEqual(Array.from({ length: seq }, (_, place) => seq - place).filter((ord) => !set.has(ord)))
    }),
  )
})
