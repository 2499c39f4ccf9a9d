import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packagedModel } from './model-files.ts'
import { loadWordPieces } from './tokenizer.ts'
import { anyCharacter } from '../../../../../test/fixtures/text/any-character.ts'

const pieces = loadWordPieces(readFileSync(packagedModel()['tokenizer.json'], 'utf8'))
const ids = (text: string) => [...pieces.encode(text)]

// Ids of the vocabulary of bert-base-uncased, with which the model was trained.
test.each([
  ['Hello, world!', [101, 7592, 1010, 2088, 999, 102]],
  ['hello world', [101, 7592, 2088, 102]],
  ['', [101, 102]],
  ['   \n\t ', [101, 102]],
  ['café', [101, 7668, 102]],
  ['CAFE\u0301', [101, 7668, 102]],
  ['我们', [101, 1855, 100, 102]],
  ['😀 🎉', [101, 100, 100, 102]],
  ['\ud800', [101, 102]],
  ['\u0000\u200b', [101, 102]],
  ['[SEP]', [101, 1031, 19802, 1033, 102]],
  ['x'.repeat(10_000), [101, 100, 102]],
] as const)('%j', (text, expected) => {
  expect(ids(text)).toEqual(expected)
})

test.each([
  ['words', 'word '.repeat(1000)],
  ['Chinese', '我'.repeat(20_000)],
  ['punctuation', '!'.repeat(1_000_000)],
])('256 ids at most, with the last mark kept: %s', (_, text) => {
  const found = ids(text)
  expect(found).toHaveLength(256)
  expect([found[0], found[255]]).toEqual([101, 102])
})

test('254 tokens fit, 255 are cut by one', () => {
  expect(ids('word '.repeat(254))).toHaveLength(256)
  expect(ids('word '.repeat(254)).slice(0, -1)).toEqual(ids('word '.repeat(255)).slice(0, -1))
})

test('every string has ids of the vocabulary', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
      const found = ids(text)
      expect([found[0], found.at(-1)]).toEqual([101, 102])
      expect(found.every((id) => Number.isInteger(id) && id >= 0 && id < 30_522)).toBe(true)
    }),
  )
})

test.each([
  ['', /JSON/],
  ['{}', /model/],
  ['{"model":{"type":"BPE","vocab":{}},"post_processor":{}}', /WordPiece/],
  ['{"model":{"type":"WordPiece","vocab":{}},"post_processor":{}}', /no \[SEP\]/],
] as const)('a file of another kind is refused: %s', (file, reason) => {
  expect(() => loadWordPieces(file)).toThrow(reason)
})
