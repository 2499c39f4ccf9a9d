import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { stem, stemmedLanguages } from './stem.ts'
import { TermsReader } from './terms-codec.ts'
import { Unstemmed } from './unstemmed.ts'
import { wordsOf } from './words.ts'

/** Adds messages of a word each. A message’s number is its place. */
function of(words: readonly string[]): { unstemmed: Unstemmed; add(word: string): void } {
  const unstemmed = new Unstemmed()
  let message = 0
  const add = (word: string): void => {
    const text = new TextEncoder().encode(word)
    const reader = new TermsReader()
    // A stored number is one more than itself: the format, one term, said once, its length.
    reader.open(Uint8Array.of(2, 2, 2, text.length + 1, ...text))
    const start = reader.at
    unstemmed.add(message++, reader)
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

test('the letter of a word leaves none of its forms out, in any language', () => {
  const published: Readonly<Record<string, readonly string[]>> = createRequire(import.meta.url)('stopwords-iso')
  for (const language of stemmedLanguages) {
    const words = wordsOf((published[language] ?? []).slice(0, 400).join(' ')).map(({ text }) => text)
    const { unstemmed } = of(words)
    for (const word of wordsOf(words.join(' '))) expect(unstemmed.formsOf(stem(word, language), language), language).toContain(word.text)
  }
  const { unstemmed } = of(['dying', 'skies', 'äpfel'])
  expect(unstemmed.formsOf('die', 'en')).toEqual(['dying'])
  expect(unstemmed.formsOf('sky', 'en')).toEqual(['skies'])
  expect(unstemmed.formsOf('apfel', 'de')).toEqual(['äpfel'])
})

test('a term goes with the last message that has it', () => {
  const { unstemmed, add } = of(['lives', 'living', 'lives'])
  unstemmed.remove(0)
  expect(unstemmed.formsOf('live', 'en')).toEqual(['lives', 'living'])
  unstemmed.remove(2)
  expect(unstemmed.formsOf('live', 'en')).toEqual(['living'])
  add('lives')
  expect(unstemmed.formsOf('live', 'en')).toEqual(['lives', 'living'])
  expect(unstemmed.isWorn).toBe(false)
})

test('it is worn when forgotten terms may have kept others out', () => {
  const filled = of([])
  for (let number = 0; number < 1_000; number += 1) filled.add(`word${number}`)
  filled.unstemmed.remove(0)
  expect(filled.unstemmed.isWorn).toBe(true)
  const filling = of(['lives'])
  filling.unstemmed.remove(0)
  for (let number = 0; number < 998; number += 1) filling.add(`word${number}`)
  expect(filling.unstemmed.isWorn).toBe(false)
  filling.add('last')
  expect(filling.unstemmed.isWorn).toBe(true)
})
