import { expect, test } from 'vitest'
import { chooseUnits, type Topic } from './coverage.ts'
import type { Unit } from './units.ts'

const topic = (...terms: string[]): Topic => ({ terms: new Map(terms.map((term) => [term, 1 / terms.length])), worth: 1 })
const unit = (text: string, terms: readonly string[], at: Partial<Unit> = {}): Unit => ({
  text,
  words: 5,
  terms: new Set(terms),
  of: 0,
  first: 0,
  last: 0,
  worth: 1,
  ...at,
})
const chosen = (units: readonly Unit[], topics: readonly Topic[], most = 2, maxWords = 20): string[] =>
  chooseUnits(units, topics, { most, maxWords, lineCost: 1 }).map(({ text }) => text)

test('what is written once adds nothing the second time', () => {
  const units = [unit('a b', ['a', 'b']), unit('b a', ['a', 'b'], { first: 1, last: 1 }), unit('c', ['c'], { first: 2, last: 2, words: 9 })]
  expect(chosen(units, [topic('a', 'b', 'c', 'd', 'e')])).toEqual(['a b', 'c'])
})

test('of a topic that is covered well enough no more is written, but of another', () => {
  const units = [
    unit('a b c', ['a', 'b', 'c']),
    unit('d e', ['d', 'e'], { first: 1, last: 1 }),
    unit('x', ['x'], { of: 1, first: 2, last: 2 }),
  ]
  expect(chosen(units, [topic('a', 'b', 'c', 'd', 'e'), topic('x', 'y', 'z')], 3)).toEqual(['a b c', 'x'])
})

test('of two that share a sentence one is written', () => {
  const units = [
    unit('a b', ['a', 'b'], { last: 1 }),
    unit('b c', ['b', 'c'], { first: 1, last: 2, words: 6 }),
    unit('d', ['d'], { first: 3, last: 3, words: 8 }),
  ]
  expect(chosen(units, [topic('a', 'b', 'c', 'd')], 3)).toEqual(['a b', 'd'])
})

test('a chosen one grows by its neighbours, at the cost of their words alone', () => {
  const units = [
    unit('a', ['a']),
    unit('a b', ['a', 'b'], { last: 1, words: 9 }),
    unit('c', ['c'], { first: 2, last: 2, words: 9 }),
    unit('d', ['d'], { first: 3, last: 3, words: 12 }),
  ]
  expect(chosen(units, [topic('a', 'b', 'c', 'd')], 1)).toEqual(['a b'])
  expect(chosen(units, [topic('a', 'b', 'c', 'd')], 1, 8)).toEqual(['a'])
})

test('fewer words for the same are taken first, and what does not fit is not taken', () => {
  expect(chosen([unit('long', ['a'], { words: 12 }), unit('short', ['a'], { first: 1, last: 1 })], [topic('a', 'b')])).toEqual(['short'])
  expect(
    chosen(
      [
        unit('first', ['a', 'b']),
        unit('too long', ['c', 'd'], { of: 1, first: 1, last: 1, words: 16 }),
        unit('second', ['c'], { of: 1, first: 2, last: 2 }),
      ],
      [topic('a', 'b'), topic('c', 'd')],
    ),
  ).toEqual(['first', 'second'])
})
