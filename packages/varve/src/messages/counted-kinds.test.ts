import { expect, test } from 'vitest'
import { countedKinds } from './counted-kinds.ts'

test('counts are listed by kind, in the singular or the plural, without those of nothing', () => {
  expect(countedKinds({ message: 1_203, session: 1, notes: 2, bank: 2, fact: 0 })).toBe(
    '1,203 messages, 1 session, 2 pages of notes, 2 bank entries',
  )
  expect(countedKinds({ messages: 1, entries: 1, facts: 1, notes: 1 })).toBe('1 message, 1 bank entry, 1 fact ever known, 1 page of notes')
  expect(countedKinds({ message: 0 })).toBe('nothing')
})
