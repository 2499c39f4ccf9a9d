import fc from 'fast-check'
import { expect, test } from 'vitest'
import { viewOf, WantedTerms } from './wanted-terms.ts'

const term = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '猫', '😀', '1'), minLength: 1, maxLength: 6 })

test('a wanted term is found at any place of a page, up to its end', () => {
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 5 }), fc.nat(9), fc.nat(5), (terms, before, after) => {
      const wanted = new WantedTerms(terms)
      for (const bytes of terms.map((each) => new TextEncoder().encode(each))) {
        // A view into other bytes, as the pages of the store are.
        const page = new Uint8Array([7, ...Array.from({ length: before }, () => 120), ...bytes, ...Array.from({ length: after }, () => 97)])
        expect(wanted.isFirst[bytes[0] ?? 0]).toBe(1)
        expect(wanted.has(viewOf(page.subarray(1)), before, bytes.length)).toBe(true)
      }
    }),
  )
})

test('terms that begin otherwise are not wanted', () => {
  const wanted = new WantedTerms(['harbour', 'pier'])
  const page = new TextEncoder().encode('harvestpiehat')
  const has = (from: number, size: number): boolean => wanted.has(viewOf(page), from, size)
  expect([has(0, 7), has(7, 3), has(10, 3)]).toEqual([false, false, false])
})
