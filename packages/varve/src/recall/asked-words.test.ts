import { expect, test } from 'vitest'
import { AskedWords } from './asked-words.ts'

const english = new AskedWords(
  [
    { variants: ['schedul', 'schedules'], weight: 0.6, stop: false },
    { variants: ['went', 'go'], weight: 0.3, stop: false },
    { variants: ['the'], weight: 0.1, stop: true },
  ],
  ['en'],
)

test('finds words in every form, each once, without stop words', () => {
  expect(english.weights).toEqual([0.6, 0.3])
  expect([...english.saidIn('She scheduled the SCHEDULE and went.')]).toEqual([0, 1])
  expect([...english.saidIn('School is out; we go home.')]).toEqual([1])
  expect(english.saidIn('').size).toBe(0)
})

test('a question without a telling word says nothing of any text', () => {
  expect(new AskedWords([], []).saidIn('The schedule').size).toBe(0)
})
