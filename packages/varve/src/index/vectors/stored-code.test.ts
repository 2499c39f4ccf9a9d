import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantise } from './quantise.ts'
import { readStoredCodes, storedCode } from './stored-code.ts'

test('what is stored has no zero byte and is read as it was, wherever it stands', () => {
  const vectors = fc
    .integer({ min: 1, max: 9 })
    .chain((dimension) =>
      fc.array(fc.float32Array({ minLength: dimension, maxLength: dimension, min: -1, max: 1, noNaN: true }), {
        minLength: 1,
        maxLength: 5,
      }),
    )
  fc.assert(
    fc.property(vectors, fc.integer({ min: 0, max: 3 }), (some, before) => {
      const bodies = some.map((vector) => storedCode(vector).body)
      expect(bodies.some((body) => body.includes(0))).toBe(false)
      const page = Uint8Array.from([...Array.from({ length: before }, () => 7), ...bodies.flatMap((body) => [...body])])
      expect([...readStoredCodes(page.subarray(before))]).toEqual(some.flatMap((vector) => [...quantise(vector).code]))
    }),
  )
})
