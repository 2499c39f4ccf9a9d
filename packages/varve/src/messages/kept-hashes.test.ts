import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeptHashes } from './kept-hashes.ts'

const hash = fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.integer({ min: 0, max: 40 }))

test('kept hashes are the same set as before', () => {
  fc.assert(
    fc.property(fc.array(hash), fc.array(hash), (kept, others) => {
      const [hashes, known] = [new KeptHashes(new Uint32Array(kept)), new Set(kept)]
      for (const one of [...kept, ...others]) expect(hashes.has(one)).toBe(known.has(one))
    }),
  )
})
