import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold, maxWordLength, wordsOf } from './words.ts'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'

const texts = (text: string): string[] => wordsOf(text).map((word) => word.text)

describe('fold', () => {
  test.each([
    ['STRASSE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'istanbul'],
    ['ﬁne', 'FINE'],
    ['ＡＢＣ', 'abc'],
    ['it’s', "it's"],
    ['Ärger', 'ÄRGER'],
  ])('makes %s and %s one word', (a, b) => {
    expect(fold(a)).toBe(fold(b))
  })
})

describe('wordsOf', () => {
  test('keeps apostrophes between letters, and marks between digits', () => {
    expect(texts("Don't pay 1,250.50 at 18:30, Ada's 2nd go!")).toEqual(["don't", 'pay', '1,250.50', 'at', '18:30', "ada's", '2nd', 'go'])
  })

  test('takes paths and identifiers apart', () => {
    expect(texts('src/index.ts my_file e.g. a-b')).toEqual(['src', 'index', 'ts', 'my', 'file', 'e', 'g', 'a', 'b'])
  })

  test('cuts scripts without spaces into characters and bigrams', () => {
    expect(texts('猫が好き')).toEqual(['猫', '猫が', 'が', 'が好', '好', '好き', 'き'])
    expect(texts('iPhone发布会')).toEqual(['iphone', '发', '发布', '布', '布会', '会'])
  })

  test('cuts Thai by the dictionary', () => {
    expect(texts('สวัสดีครับ').length).toBeGreaterThan(1)
  })

  test('has a word for an emoji', () => {
    expect(texts('well done 🎉')).toEqual(['well', 'done', '🎉'])
  })

  test('cuts what is too long, and leaves no half of a surrogate pair', () => {
    for (const word of wordsOf(`${'a'.repeat(200)} é${'𝒳'.repeat(200)}`)) {
      expect(word.text.length).toBeLessThanOrEqual(maxWordLength)
      expect(word.text.isWellFormed()).toBe(true)
    }
  })

  test('agrees with Intl.Segmenter on prose with spaces', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
    const letters = fc.string({ unit: fc.constantFrom(...'abcdefgöäéßжщъق'), minLength: 1, maxLength: 9 })
    const number = fc.integer({ min: 0, max: 99_999 }).map(String)
    const prose = fc.array(fc.tuple(fc.oneof(letters, number), fc.constantFrom(' ', ', ', '. ', '! ', ' – ', '; ', '? (', ') "', '\n')), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(prose, (pieces) => {
        const text = pieces.flat().join('')
        const oracle = [...segmenter.segment(fold(text))].filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment)
        expect(texts(text)).toEqual(oracle)
      }),
    )
  })

  test('takes any text, and never gives an empty word', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => wordsOf(text).every((word) => word.text.length > 0)))
  })
})
