import { expect, test } from 'vitest'
import { countTelling, maxQueryWords, queryWords } from './query.ts'

test('marks stop words in the languages of the partition', () => {
  const words = queryWords('what did we decide on the price', ['en'])
  expect(words.filter(({ stop }) => !stop).map(({ written }) => written)).toEqual(['decide', 'price'])
})

test('has a stem a language, and the word itself', () => {
  const [word] = queryWords('classes', ['en', 'de'])
  expect(word?.variants).toContain('class')
  expect(word?.variants).toContain('classes')
})

test('has the irregular forms of a word, whichever of them is asked for', () => {
  const variants = (query: string, language: string): readonly string[] | undefined => queryWords(query, [language])[0]?.variants
  expect(variants('buying', 'en')).toEqual(expect.arrayContaining(['buy', 'bought']))
  expect(variants('bought', 'en')).toEqual(expect.arrayContaining(['buy', 'bought']))
  expect(variants('leaving', 'en')).toEqual(expect.arrayContaining(['leav', 'left']))
  expect(variants('children', 'en')).toEqual(expect.arrayContaining(['child', 'children']))
  expect(variants('flies', 'en')).toEqual(expect.arrayContaining(['fli', 'flew', 'flown']))
  expect(variants('ox', 'en')).toEqual(expect.arrayContaining(['ox', 'oxen']))
  expect(variants('bought', 'de')).not.toContain('buy')
})

test('words that look like a form of another keep to themselves', () => {
  const words = ['live', 'leave', 'bear', 'wind', 'rose', 'ground', 'find', 'fund']
  const families = words.map((word) => queryWords(word, ['en'])[0]?.variants ?? [])
  for (const [at, family] of families.entries()) {
    for (const other of families.slice(at + 1)) expect(family.filter((form) => other.includes(form))).toEqual([])
  }
})

test('looks a run without spaces up by bigrams, a lone character by itself', () => {
  expect(queryWords('好吃的面', ['zh']).map(({ written }) => written)).toEqual(['好吃', '吃的', '的面'])
  expect(queryWords('猫', ['ja']).map(({ written }) => written)).toEqual(['猫'])
})

test('reads a bounded part of a huge question', () => {
  const huge = Array.from({ length: 20_000 }, (_, place) => `w${place}`).join(' ')
  expect(queryWords(huge, ['en'])).toHaveLength(maxQueryWords)
})

test('a question of half a surrogate pair is no error', () => {
  expect(queryWords('key \ud83d', ['en'])).toHaveLength(1)
})

test('counts telling words in the language that has the fewest, up to a bound', () => {
  const counts = (text: string): number[] => [0, 1, 2, 9].map((most) => countTelling(text, most))
  expect(counts('yes, do it please')).toEqual([0, 0, 0, 0])
  expect(counts('und dann das Boot')).toEqual([0, 1, 1, 1])
  expect(counts('Where is the ferry bell of the harbour?')).toEqual([0, 1, 2, 3])
})
