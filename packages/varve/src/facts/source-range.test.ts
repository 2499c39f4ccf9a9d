import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rangeOf } from './source-range.ts'
import { runs } from '../testing/runs.ts'
import { checkLinear } from '../testing/text-steps.ts'

function found(quote: string, content: string, leftOut: readonly { from: number; to: number }[] = []): string | undefined {
  const range = rangeOf(quote, content, leftOut)
  return range === undefined ? undefined : `${range.from} ${content.slice(range.from, range.to)}`
}

describe('where a quote stands', () => {
  test.each<[string, string, string | undefined]>([
    ['I live in Kiel', 'Well, I live in Kiel now.', '6 I live in Kiel'],
    [' I live ', 'I live', '0 I live'],
    ['in Kiel', 'in Kiel, in Kiel', '0 in Kiel'],
    ['live in Kiel', 'I live\n  in\tKiel.', '2 live\n  in\tKiel'],
    ['live  in\nKiel', 'I live in Kiel.', '2 live in Kiel'],
    ['a b', 'a  b, a b', '6 a b'],
    ['🛶 b', 'my 🛶  b', '3 🛶  b'],
    ['‹memory', 'a <memory b', '2 <memory'],
    ['Ende', 'ende', undefined],
    ['Kiel', '', undefined],
    ['', 'Kiel', undefined],
    [' \n', 'Kiel \n', undefined],
  ])('%j in %j', (quote, content, expected) => {
    expect(found(quote, content)).toBe(expected)
  })
})

describe('what is left out', () => {
  test.each<[string, string, { from: number; to: number }[], string | undefined]>([
    ['b', 'abcb', [{ from: 0, to: 2 }], '3 b'],
    ['b', 'abcb', [{ from: 1, to: 4 }], undefined],
    ['bc', 'abcb', [{ from: 2, to: 3 }], undefined],
    [
      'b',
      'abcb',
      [
        { from: 3, to: 4 },
        { from: 0, to: 2 },
      ],
      undefined,
    ],
    [
      'b',
      'abcb',
      [
        { from: 0, to: 4 },
        { from: 1, to: 2 },
      ],
      undefined,
    ],
    ['a b', 'a  b a b', [{ from: 4, to: 8 }], '0 a  b'],
    ['b', 'abcb', [{ from: 2, to: 99 }], '1 b'],
  ])('%j in %j without %j', (quote, content, leftOut, expected) => {
    expect(found(quote, content, leftOut)).toBe(expected)
  })
})

const text = fc.array(fc.constantFrom('a', 'b', ' ', '  ', '\n', '🛶', '<', '‹', 'é'), { maxLength: 30 }).map((signs) => signs.join(''))

test('what is found reads like the quote, and touches nothing that is left out', () => {
  const plain = (each: string): string => each.replace(/\s+/g, ' ').replaceAll('<', '‹').trim()
  const ranges = fc.array(
    fc.tuple(fc.nat(30), fc.nat(8)).map(([from, length]) => ({ from, to: from + length })),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(text, text, ranges, (quote, content, leftOut) => {
      const range = rangeOf(quote, content, leftOut)
      if (range === undefined) {
        // Without a left-out range, every quote that stands in the content is found.
        if (leftOut.length === 0 && quote.trim() !== '') expect(plain(content)).not.toContain(plain(quote))
        return
      }
      expect(plain(content.slice(range.from, range.to))).toBe(plain(quote))
      for (const { from, to } of leftOut) expect(from === to || to <= range.from || range.to <= from).toBe(true)
    }),
    { numRuns: runs(2_000) },
  )
})

test.each([' ', 'a', '1', '"', ',', '<', 'é', '🛶'])('hostile text of %j is read in linear time', (sign) => {
  checkLinear((length) => {
    const content = sign.repeat(length)
    expect(rangeOf(`b${sign.repeat(600)}`, content, [])).toBeUndefined()
    const leftOut = Array.from({ length: length / 10 }, (_, place) => ({ from: place * 10, to: place * 10 + 5 }))
    expect(rangeOf(`${sign.repeat(600)}b`, content, leftOut)).toBeUndefined()
  })
})
