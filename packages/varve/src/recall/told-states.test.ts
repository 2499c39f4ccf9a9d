import { expect, test } from 'vitest'
import type { EndedState } from '../facts/superseded.ts'
import { toldIn } from './told-states.ts'

const lineage = [{ session: 'talk', from: 1, to: 9 }]
const state: EndedState = { session: 'talk', seq: 3, predicate: 'lives in', object: 'Oslo', now: 'Bergen', on: 1, from: 0, to: 9 }

function marked(text: string, changes: Partial<EndedState> = {}): string | undefined {
  const [told] = toldIn(text, lineage, [{ ...state, ...changes }])
  return told === undefined ? undefined : text.slice(told.from, told.to)
}

test.each([
  ['The user lives in Oslo.', 'The user lives in Oslo'],
  ['It rains. The user lives in OSLO; it is dark.', ' The user lives in OSLO'],
  ['The user works at Oslofjord.', undefined],
  ['The user moved from Oslo to Bergen.', undefined],
  ['The user no longer lives in Oslo.', undefined],
  ['The user lives in Bergen. Before, it was Oslo.', ' Before, it was Oslo'],
  ['Nothing of it.', undefined],
])('%s', (text, told) => {
  expect(marked(text)).toBe(told)
})

test('only a text that rests on the message of the state tells it', () => {
  expect(marked('The user lives in Oslo.', { seq: 10 })).toBeUndefined()
  expect(marked('The user lives in Oslo.', { session: 'other' })).toBeUndefined()
})

test('a short object needs a word of its predicate', () => {
  const short = { object: '5', now: '6', predicate: 'number of tests' }
  expect(marked('There are 5 boats.', short)).toBeUndefined()
  expect(marked('The number of tests is 5.', short)).toBe('The number of tests is 5')
})

test('words with signs are found as they stand', () => {
  const command = { object: 'npm  run test.', now: 'npm run test:ci', predicate: 'test command' }
  expect(marked('Test command: npm run test.', command)).toBe('Test command: npm run test.')
  expect(marked('Test command: npm run test:e2e.', { ...command, object: 'npm run test' })).toBeUndefined()
})
