import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameKey } from './names.ts'
import { runs } from '../testing/runs.ts'

const numRuns = runs(1_000)

test.each([
  ['The  Linea-Mini!', 'my linea mini'],
  ['Ben & Jerry’s', 'ben and jerrys'],
  ['Ｓｔｒａßｅ', 'STRASSE'],
  ['Node.js', 'node JS'],
  ['“Our bakery”', 'Bakery'],
  ['Café Möwe', 'Cafe\u0301 Mo\u0308we'],
  ['an the Hague', 'hague'],
  ['東京。', '東京'],
])('%s and %s are one name', (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other))
})

test.each([
  ['C++', 'C#'],
  ['C', 'C#'],
  ['.NET', 'net'],
  ['Q1 report', 'Q2 report'],
  ['The', ''],
  ['bike', 'bikes'],
  ['🦊', '🐻'],
  ['10%', '10'],
  ['##x', '#x#'],
])('%s and %s are two', (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other))
})

test('nothing has no name, and signs alone are compared as they are', () => {
  expect(nameKey(' \n')).toBe('')
  expect([nameKey('???'), nameKey('the')]).toEqual(['???', 'the'])
})

test('a key is its own key, and has neither blanks at its ends nor capitals', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('', 'the ', 'An  ', 'my the '), (name, article) => {
      const key = nameKey(article + name)
      expect(nameKey(key)).toBe(key)
      expect(key.trim()).toBe(key)
    }),
    { numRuns },
  )
})
