import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roles } from '../messages/message.ts'
import { TermDictionary } from './dictionary.ts'
import { encodeTerms, TermsReader } from './terms-codec.ts'

const term = fc.oneof(fc.string({ minLength: 1, maxLength: 64 }), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }))
const stored = fc.record({
  role: fc.constantFrom(...roles),
  language: fc.constantFrom('', 'en', 'de'),
  name: fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 200 })),
  text: fc.record({
    terms: fc.array(fc.tuple(term, fc.integer({ min: 1, max: 1_000_000 }))).map((entries) => new Map(entries)),
    length: fc.nat(),
  }),
})

test('what is written is read again', () => {
  fc.assert(
    fc.property(stored, (value) => {
      const reader = new TermsReader()
      const words = new TermDictionary(16)
      reader.open(encodeTerms(value))
      const string = (): string => words.term(reader.intern(words))
      expect(roles[reader.number()]).toBe(value.role)
      expect(string()).toBe(value.language)
      expect(string()).toBe(value.name)
      expect(reader.number()).toBe(value.text.length)
      const read = new Map<string, number>()
      for (let left = reader.number(); left > 0; left -= 1) {
        const count = reader.number()
        read.set(string(), count)
      }
      expect(read).toEqual(value.text.terms)
      expect(reader.at).toBe(reader.bytes.length)
      const strings = [value.name, ...value.text.terms.keys()].join('')
      expect(strings.includes('\0') || !encodeTerms(value).includes(0)).toBe(true)
    }),
  )
})

test('another format and a cut blob are refused', () => {
  const reader = new TermsReader()
  expect(() => reader.open(new Uint8Array([100]))).toThrow(/format 99/)
  expect(() => reader.open(new Uint8Array([]))).toThrow(RangeError)
})
