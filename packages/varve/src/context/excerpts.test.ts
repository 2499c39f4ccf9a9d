import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costOf } from '../index/passages.ts'
import { AskedWords } from '../recall/asked-words.ts'
import { saidRanges } from '../messages/echo.ts'
import type { RecalledRange } from '../messages/message.ts'
import { Excerpts, leastWindow } from './excerpts.ts'

const asked = (...words: string[]): AskedWords =>
  new AskedWords(
    words.map((word) => ({ variants: [word], weight: 1 / words.length, stop: false })),
    [],
  )
/** The excerpts of a text without vectors, for a question about ferries. */
const excerptsOf = (text: string, recalled: readonly RecalledRange[] = []): Excerpts =>
  new Excerpts(
    { text, recalled },
    saidRanges(text, recalled).map((range) => ({ ...range, cosine: 0 })),
    asked('ferry'),
  )
const filler = (topic: string, count: number): string =>
  Array.from({ length: count }, (_, place) => `The ${topic} was looked at for time number ${place}.`).join(' ')

/** Returns the text that is shown of a long text for a question about ferries. */
function shown(text: string, most: number): string {
  const excerpts = excerptsOf(text)
  return excerpts.render(excerpts.within(most))
}

test('shows the sentences around the question’s words, and marks where the text was cut', () => {
  const text = `${filler('weir', 20)} The ferry leaves at nine. It costs four pounds. ${filler('mill', 20)}`
  expect(shown(text, 40)).toMatch(/^\[…\] .*The ferry leaves at nine\. It costs four pounds\..* \[…\]$/)
  expect(shown(text, 40)).not.toContain('number 3.')
})

test('without passages, finds the question’s words deep in a text of a megabyte', () => {
  const deep = `${filler('weir', 12_000)} The ferry leaves at nine. ${filler('mill', 8_000)}`
  expect(shown(deep, 40)).toContain('The ferry leaves at nine.')
  expect(shown(filler('weir', 12_000), 40)).toMatch(/time number \d{1,3}\./)
})

test('of very many passages, those with the question’s words are read though others are nearer in meaning', () => {
  const deep = `${filler('weir', 3_000)} The ferry leaves at nine. ${filler('mill', 3_000)}`
  const passages = Array.from({ length: Math.ceil(deep.length / 700) }, (_, place) => ({
    from: place * 700,
    to: Math.min(deep.length, (place + 1) * 700),
    cosine: place < 100 ? 0.3 : 0.1,
  }))
  const excerpts = new Excerpts({ text: deep }, passages, asked('ferry'))
  expect(excerpts.render(excerpts.within(40))).toContain('The ferry leaves at nine.')
})

test('without passages, a long text of emoji is never cut within one', () => {
  const text = `a${'👍'.repeat(30_000)}ferry${'🦓'.repeat(30_000)}`
  for (const most of [30, 300, 3_000, 30_000]) expect(shown(text, most).isWellFormed()).toBe(true)
})

test('a text that fits is shown whole, without a mark', () => {
  const text = 'The ferry leaves at nine.\nIt costs four pounds.'
  expect(shown(text, 100)).toBe(text)
})

test('more room shows more of it, and a second place after the first is full', () => {
  const text = `The ferry leaves at nine. ${filler('weir', 60)} The ferry is back at ten.`
  expect(shown(text, 60)).not.toContain(' […] The')
  expect(shown(text, 450)).toMatch(/^The ferry leaves at nine.* \[…\] .*The ferry is back at ten\.$/)
})

test('a short gap between two places is shown instead of a mark', () => {
  const sentences = ['The ferry leaves.', 'It is red.', ...Array.from({ length: 40 }, (_, place) => `The weir is dry ${place}.`)]
  const text = sentences.join(' ')
  const all = excerptsOf(text).within(2_000)
  expect(all).toEqual([{ from: 0, to: text.length }])
})

test('text outside the passages is never shown, however short it is', () => {
  const text = 'The ferry leaves at nine. Secret. It costs four pounds.'
  const passages = [
    { from: 0, to: 25, cosine: 0.5 },
    { from: 34, to: text.length, cosine: 0.4 },
  ]
  const excerpts = new Excerpts({ text }, passages, asked('ferry'))
  expect(excerpts.render(excerpts.within(200))).toBe('The ferry leaves at nine. […] It costs four pounds.')
})

test('without a word of the question the passage that is most like it is shown', () => {
  const text = `${filler('weir', 12)} ${filler('mill', 12)}`
  const middle = text.indexOf('The mill')
  const passages = [
    { from: 0, to: middle - 1, cosine: 0.1 },
    { from: middle, to: text.length, cosine: 0.6 },
  ]
  const excerpts = new Excerpts({ text }, passages, asked('boat'))
  expect(excerpts.render(excerpts.within(60))).toContain('The mill')
})

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom('ferry', 'weir,', 'mill.', 'naïve', '12:30', '\n\n', '- ', '渡轮在九点', '👩‍👩‍👧‍👦', 'ferry!'),
      fc.string({ unit: fc.constantFrom('a', 'é', 'z'), minLength: 1, maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 200 },
  )
  .map((list) => list.join(' '))

// requirement: P5.13
test('ranges are of the text, in order and apart; they split no word and no character, and keep to their size', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 300 }), (text, most) => {
      const ranges = excerptsOf(text).within(most)
      let last = -1
      for (const { from, to } of ranges) {
        expect(from).toBeGreaterThan(last)
        expect(to).toBeGreaterThan(from)
        expect(text.slice(from, to).isWellFormed()).toBe(true)
        expect(text.slice(from, to).trim()).toBe(text.slice(from, to))
        // A word of letters is whole on both sides.
        for (const at of [from, to]) expect(text.slice(Math.max(0, at - 1), at + 1)).not.toMatch(/^[a-zéï]{2}$/)
        last = to
      }
      const cost = ranges.reduce((sum, { from, to }) => sum + costOf(text.slice(from, to)), 0)
      expect(cost).toBeLessThanOrEqual(Math.max(most, leastWindow) + 60)
      expect(excerptsOf(text).within(most)).toEqual(ranges)
    }),
  )
})

test('a text of characters without blanks is cut between characters', () => {
  const excerpts = excerptsOf('👍'.repeat(500))
  const [range] = excerpts.within(50)
  expect(range).toBeDefined()
  expect('👍'.repeat(500).slice(range?.from, range?.to).isWellFormed()).toBe(true)
})

test('the end of the text that is read splits no character', () => {
  const text = `x${'👍'.repeat(15_000)}`
  const ranges = excerptsOf(text).within(100_000)
  for (const { from, to } of ranges) expect(text.slice(from, to).isWellFormed()).toBe(true)
})

test('without vectors, the ranges that Varve had rendered are not shown', () => {
  const text = `The ferry leaves at nine. ${filler('weir', 5)} It costs four pounds.`
  const recalled = [{ from: 0, to: 26 }]
  const excerpts = excerptsOf(text, recalled)
  const whole = excerpts.render(excerpts.within(500))
  expect(whole).toMatch(/^\[…\] The weir.*It costs four pounds\.$/)
})
