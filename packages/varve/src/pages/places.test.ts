import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placesOf } from './places.ts'

function everywhere(text: string, sought: string): number[] {
  return Array.from(text, (_, at) => at).filter((at) => text.startsWith(sought, at))
}

test('a text is found where it stands, also where it overlaps itself, however long it is', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 200 })
  const sought = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 }),
    fc.string({ unit: fc.constantFrom('a'), minLength: 65, maxLength: 100 }),
  )
  fc.assert(
    fc.property(text, sought, (around, one) => {
      for (const whole of [around, `${around}${one}${around}`]) {
        const places = everywhere(whole, one)
        expect(placesOf(whole, one)).toEqual({ first: places[0], times: places.length })
      }
    }),
  )
})
