import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { isCountable, loadTokenizer } from './tokenizer.ts'
import { anyCharacter } from '../../../../test/fixtures/text/any-character.ts'
import { runs } from '../testing/runs.ts'

const whole = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })

/** Every character that a token may begin or end with beside a line break. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('\n', '\n\n', '\r\n', '\r', ' ', '  ', '\t', '/', '//', '\u0085', '\u00a0', '\u2028', '\ufeff', '\u0300'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '- ',
      '[',
      '!',
      '...',
      '?!\n',
      "'s",
      'ß',
      '犬',
      '👩‍🚀',
      '123',
      '4567',
      'Word',
      'words',
      '<|endoftext|>',
      '<|im_start|>',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 4 }) },
)

test('a text counted line by line has as many tokens as the whole', async () => {
  const { count } = await loadTokenizer()
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      const tokens = whole(text)
      expect(count(text)).toBe(tokens)
      // The second count comes from the cache.
      expect(count(text)).toBe(tokens)
    }),
    { numRuns: runs(2_000) },
  )
})

test('what is longer than a line of a prompt is counted all the same', async () => {
  const { count } = await loadTokenizer()
  const text = `${'long lines of words '.repeat(500)}\n`.repeat(3)
  expect([count(text), count(text), count('')]).toEqual([whole(text), whole(text), 0])
})

test('a text cannot be counted when it has over 2,000 characters of one kind without a break, wherever they stand, and only then', () => {
  const run = fc.record({
    of: fc.constantFrom('a', 'ü', '犬', '𠀀', '😀', ' ', '\n', '-', '\u0301', '7', 'word '),
    times: fc.constantFrom(1, 999, 1_999, 2_000, 2_001, 2_500),
  })
  fc.assert(
    fc.property(fc.array(run, { maxLength: 5 }), (runs) => {
      const text = runs.map(({ of, times }) => of.repeat(times)).join('')
      expect(isCountable(text)).toBe(!/[\p{L}\p{M}]{2001}|\s{2001}|[^\s\p{L}\p{N}]{2001}/u.test(text))
    }),
    { numRuns: runs(60) },
  )
})
