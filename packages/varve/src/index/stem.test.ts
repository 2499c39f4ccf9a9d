import { expect, test } from 'vitest'
import { analyse } from './analyse.ts'
import { stem } from './stem.ts'
import { wordsOf } from './words.ts'

const stemOf = (text: string, language: string): string =>
  wordsOf(text)
    .map((word) => stem(word, language))
    .join(' ')

test.each([
  ['en', 'classes', 'class'],
  ['en', "Caroline's", 'caroline'],
  ['en', 'running', 'runs'],
  ['de', 'Häuser', 'Hauses'],
  ['de', 'gelaufene', 'gelaufenen'],
  ['ru', 'книги', 'книгу'],
  ['ar', 'الكتاب', 'كتاب'],
  ['es', 'canciones', 'canción'],
  ['fr', 'chantait', 'chanter'],
])('in %s, %s and %s have one stem', (language, a, b) => {
  expect(stemOf(a, language)).toBe(stemOf(b, language))
})

test('a word in another script is stemmed as that script, whatever the session speaks', () => {
  expect(stemOf('книгами', 'en')).toBe(stemOf('книга', 'ru'))
})

test('without a language, words stay as they are', () => {
  expect(stemOf('classes', '')).toBe('classes')
  expect(stemOf('classes', 'xx')).toBe('classes')
})

test('analyse counts terms and length, and leaves ranges out', () => {
  const text = 'the boats and a boat, but not the ferry'
  const all = analyse(text, 'en')
  expect(all.terms.get('boat')).toBe(2)
  expect(all.length).toBe(9)
  const part = analyse(text, 'en', [{ from: text.indexOf('but'), to: text.length }])
  expect(part.terms.has('ferri')).toBe(false)
  expect(part.length).toBe(5)
})
