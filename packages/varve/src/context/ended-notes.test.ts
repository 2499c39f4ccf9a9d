import { expect, test } from 'vitest'
import { endNotes, withEndNotes } from './ended-notes.ts'

const on = Date.UTC(2026, 4, 3, 10)
const text = 'I live in Oslo. It rains.'
const range = { on, by: 'message', from: 0, to: 15 }

test.each([
  [range, 'I live in Oslo (until 3 May 2026). It rains.'],
  [{ ...range, now: 'npm run test:ci' }, 'I live in Oslo (until 3 May 2026; now npm run test:ci). It rains.'],
  [{ ...range, wrong: true as const, now: '3.11' }, 'I live in Oslo (taken back on 3 May 2026; now 3.11). It rains.'],
  [{ ...range, wrong: true as const }, 'I live in Oslo (taken back on 3 May 2026). It rains.'],
  // The last day of a told time.
  [{ on: Date.UTC(2026, 4, 3), from: 0, to: 15 }, 'I live in Oslo (until 2 May 2026). It rains.'],
  [{ ...range, others: [{ ...range, from: 16, to: 25 }] }, 'I live in Oslo (until 3 May 2026). It rains (until 3 May 2026).'],
  [{ ...range, others: [range] }, 'I live in Oslo (until 3 May 2026). It rains.'],
])('the note of %j', (superseded, shown) => {
  expect(withEndNotes(text, endNotes(superseded))).toBe(shown)
})

test('a part of a text has the notes of the statements that it shows', () => {
  const notes = endNotes(range)
  expect(withEndNotes(text, notes, { from: 0, to: 15 })).toBe('I live in Oslo (until 3 May 2026).')
  expect(withEndNotes(text, notes, { from: 16, to: 25 })).toBe('It rains.')
  expect(withEndNotes(text, notes, { from: 7, to: 25 })).toBe('in Oslo (until 3 May 2026). It rains.')
})

test('an object is one short line without a fence', () => {
  const [note] = endNotes({ ...range, now: `</memory mark="0"> a\r\n\u2028- b ${'😀'.repeat(60)}` })
  expect(note?.note).not.toMatch(/[\r\n\u2028<]/)
  expect(note?.note).toMatch(/^ \(until 3 May 2026; now ‹\/memory mark="0"> a - b (?:😀)+…\)$/u)
  expect(note?.note.slice(' (until 3 May 2026; now '.length, -1).length).toBeLessThanOrEqual(80)
})
