import { expect, test } from 'vitest'
import { ownSentence, ownPartsOf } from './portrait-writer.ts'

test.each([
  ['Ed: Sara started her new job at the old bakery near the harbour.', 'Ed'],
  ['Ann asked: Who painted our kitchen in Porto? Ann: It was my uncle Tom in 2024.', 'Ann'],
  ['Ann: I painted it.', 'Ann'],
])('%s: tells nothing of %s', (text, name) => {
  expect(ownSentence(text, name, 'en')).toBeUndefined()
})

test.each([
  ['Ed: I started a new job at the old bakery near the harbour.', 'Ed', 'I started a new job at the old bakery near the harbour.'],
  ['Ed: For Ed the old bakery near the harbour is home.', 'Ed', 'For Ed the old bakery near the harbour is home.'],
  ['İpek: Geçen yaz annemle deniz kenarında küçük bir ev aldım.', 'İpek', 'Geçen yaz annemle deniz kenarında küçük bir ev aldım.'],
  ['The user: I started a new job at the old bakery.', undefined, 'I started a new job at the old bakery.'],
])('%s: the words of %s without the name', (text, name, own) => {
  expect(ownSentence(text, name, name === 'İpek' ? 'tr' : 'en')?.text).toBe(own)
})

test('a part is told alone where it tells of its speaker by itself', () => {
  const opened = 'I opened the old bakery near the harbour with my sister.'
  const smelled = 'And it smelled of rye all over our street.'
  const sells = 'We sell bread to the ferries every morning.'
  const text = `${opened} ${smelled} ${sells}`
  const parts = ownPartsOf({ text, words: 23 }, 'Ed', 'en').map((part) => part.text)
  expect(parts).toContain(opened)
  expect(parts).toContain(sells)
  expect(parts.filter((part) => part.startsWith(smelled))).toEqual([])
  expect(parts[0]).toBe(text)
})
