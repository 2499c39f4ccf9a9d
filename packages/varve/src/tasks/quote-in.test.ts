import { expect, test } from 'vitest'
import { quoteOf, sentenceAround } from './quote-in.ts'

const said = { name: 'Ada Lund', role: 'user', text: 'Well, I moved to Kiel in May. I have two cats… and a dog: Rex.' } as const

test.each([
  ['I moved to Kiel', 'I moved to Kiel'],
  ['Ada Lund: I moved to Kiel', 'I moved to Kiel'],
  ['[3] Ada Lund: "I moved to Kiel"', 'I moved to Kiel'],
  ['user: I have two cats', 'I have two cats'],
  ['“I moved to Kiel in May.”', 'I moved to Kiel in May.'],
  ['I moved … in May', 'I moved to Kiel in May'],
  ['I moved ... in May', 'I moved to Kiel in May'],
  ['… moved to Kiel …', 'moved to Kiel'],
  ['I have two cats… and a dog', 'I have two cats… and a dog'],
  ['a dog: Rex', 'a dog: Rex'],
  ['Bo: I moved to Kiel', undefined],
  ['in May … I moved', undefined],
  ['I moved … to Bonn', undefined],
  ['I moved … in … two cats', undefined],
  ['', undefined],
])('the quote %j is %j', (quote, words) => {
  const found = quoteOf(quote, said)
  expect(found?.words).toBe(words)
  if (found !== undefined) expect(said.text.slice(found.from, found.to)).toBe(found.words)
})

test('the sentence around a quote ends where it does', () => {
  const around = (quote: string) => {
    const quoted = quoteOf(quote, said)
    return quoted === undefined ? undefined : sentenceAround(quoted, said.text).trim()
  }
  expect(around('to Kiel')).toBe('Well, I moved to Kiel in May')
  expect(around('in May.')).toBe('Well, I moved to Kiel in May.')
})
