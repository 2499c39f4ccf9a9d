import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countWords, cutWords } from './words.ts'

test.each([
  ['', 0],
  [' … — !', 0],
  ['One, two - three.', 3],
  ["Ada's tea-room", 2],
  ['我们星期五开会', 4],
  ['Ada: 我们开会', 3],
  ['ทดสอบ', 3],
])('%j has %i words', (text, words) => {
  expect(countWords(text)).toBe(words)
})

test('a cut is made at the end of a clause where there is one late enough, otherwise after a word', () => {
  expect(cutWords('We rent the hall in May, and the band will play until two', 8)).toBe('We rent the hall in May …')
  expect(cutWords('We, who rent the hall and the garden behind it', 6)).toBe('We, who rent the hall and …')
  expect(cutWords('Ada: 我们星期五下午在港口开会讨论价格', 6)).toBe('Ada: 我们星期五下午在港口 …')
})

test('a cut text never has more words than asked for, and is the same text where it fits', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('tea', 'harbour,', 'Straße.', '我们开会', 'ทดสอบ', 'ab港cdｦe', '—', ' ', '\u{1f600}'),
        fc.string({ unit: 'grapheme', maxLength: 12 }),
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.join(' '))
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 30 }), (text, most) => {
      const cut = cutWords(text, most)
      expect(countWords(cut)).toBeLessThanOrEqual(most)
      if (countWords(text) <= most) expect(cut).toBe(text)
    }),
  )
})
