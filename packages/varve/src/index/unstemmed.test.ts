import { expect, test } from 'vitest'
import { TermsReader } from './terms-codec.ts'
import { Unstemmed } from './unstemmed.ts'

/** Adds messages of a word each. */
function of(words: readonly string[]): { unstemmed: Unstemmed; add(word: string): void } {
  const unstemmed = new Unstemmed()
  const add = (word: string): void => {
    const text = new TextEncoder().encode(word)
    const reader = new TermsReader()
    // A stored number is one more than itself: the format, one term, said once, its length.
    reader.open(Uint8Array.of(2, 2, 2, text.length + 1, ...text))
    const start = reader.at
    unstemmed.add(reader)
    expect(reader.at).toBe(start)
  }
  words.forEach(add)
  return { unstemmed, add }
}

test('terms are found by their stem in each language, also those that come later', () => {
  const { unstemmed, add } = of(['lives', 'living', 'liver', 'katzen', '\u732b', '12'])
  expect(unstemmed.formsOf('live', 'en')).toEqual(['lives', 'living'])
  expect(unstemmed.formsOf('katz', 'de')).toEqual(['katzen'])
  expect(unstemmed.formsOf('katz', 'en')).toEqual([])
  add('lived')
  add('lives')
  expect(unstemmed.formsOf('live', 'en')).toEqual(['lives', 'living', 'lived'])
  expect(unstemmed.formsOf('12', 'en')).toEqual(['12'])
})

test('its memory is bounded, and the first terms are kept', () => {
  const { unstemmed, add } = of(['lives'])
  for (let number = 0; number < 5_000; number += 1) add(`word${number}`)
  add('living')
  expect(unstemmed.formsOf('live', 'en')).toEqual(['lives'])
  expect(unstemmed.bytes).toBeLessThan(1_000_000)
})
