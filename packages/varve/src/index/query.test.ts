import { expect, test } from 'vitest'
import { maxQueryWords, queryWords } from './query.ts'

test('marks stop words in the languages of the partition', () => {
  const words = queryWords('what did we decide on the price', ['en'])
  expect(words.filter(({ stop }) => !stop).map(({ written }) => written)).toEqual(['decide', 'price'])
})

test('has a stem a language, and the word itself', () => {
  const [word] = queryWords('classes', ['en', 'de'])
  expect(word?.variants).toContain('class')
  expect(word?.variants).toContain('classes')
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
