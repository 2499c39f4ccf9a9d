import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TermDictionary } from './dictionary.ts'

const encoder = new TextEncoder()

test('gives every term one number, like a map, through all growth', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 400 }), (terms) => {
      const dictionary = new TermDictionary(4)
      const oracle = new Map<string, number>()
      for (const term of terms) {
        const bytes = encoder.encode(`__${term}`)
        if (!oracle.has(term)) oracle.set(term, oracle.size)
        expect(dictionary.intern(bytes, 2, bytes.length)).toBe(oracle.get(term))
      }
      expect(dictionary.size).toBe(oracle.size)
      for (const [term, id] of oracle) {
        expect(dictionary.find(term)).toBe(id)
        expect(dictionary.term(id)).toBe(term)
      }
      expect(dictionary.find('never said')).toBeUndefined()
    }),
  )
})
