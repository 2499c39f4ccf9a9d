import { expect, test } from 'vitest'
import type { MessageHit } from '../recall/hit.ts'
import { withoutRepeats } from './repeats.ts'

function said(id: string, text: string, more: Partial<Pick<MessageHit, 'role' | 'origin' | 'name' | 'at'>> = {}): { hit: MessageHit } {
  const hit = {
    kind: 'message',
    session: 's',
    seq: 1,
    score: 1,
    signals: [],
    neighbours: [],
    lineage: [],
    role: 'user',
    origin: 'person',
    at: 0,
  } as const
  return { hit: { ...hit, id, text, ...more } }
}

function result(...found: { hit: MessageHit }[]): { kept: string[]; omitted: (string | undefined)[] } {
  const { kept, omitted } = withoutRepeats(found)
  return { kept: kept.map(({ hit }) => hit.id), omitted: omitted.flatMap(({ id, reason }) => [id, reason]) }
}

test('of the same words the newest stay, at the place of the first', () => {
  const found = [
    said('old', 'The ferry leaves at nine.', { at: 1 }),
    said('other', 'The mill.'),
    said('new', 'the ferry leaves at NINE', { at: 2 }),
  ]
  expect(result(...found)).toEqual({ kept: ['new', 'other'], omitted: ['old', 'the same was said again later'] })
})

test('the user’s own words stay where an assistant repeats them, however new that is', () => {
  const found = [said('echo', 'The ferry leaves at nine!', { role: 'assistant', at: 9 }), said('own', 'The ferry leaves at nine.')]
  expect(result(...found)).toEqual({ kept: ['own'], omitted: ['echo', 'it repeats the user’s own words'] })
})

test('the user’s own words stay where a subagent’s task in the user’s place repeats them', () => {
  const found = [said('task', 'The ferry leaves at nine!', { origin: 'assistant', at: 9 }), said('own', 'The ferry leaves at nine.')]
  expect(result(...found)).toEqual({ kept: ['own'], omitted: ['task', 'it repeats the user’s own words'] })
})

test('two people who say the same, another number, and texts without words are no repeats', () => {
  const found = [
    said('ada', 'I came by ferry.', { name: 'Ada' }),
    said('bob', 'I came by ferry.', { name: 'Bob' }),
    said('nine', 'I paid 9 pounds.'),
    said('ten', 'I paid 10 pounds.'),
    said('asked', 'Yes, please.'),
    said('offered', 'Yes, please.', { role: 'assistant' }),
    said('smile', '🙂'),
    said('tear', '😢'),
    said('long', `${'The ferry is late. '.repeat(20)} By nine.`),
    said('longer', `${'The ferry is late. '.repeat(20)} By ten.`),
  ]
  expect(result(...found)).toEqual({ kept: found.map(({ hit }) => hit.id), omitted: [] })
})

test.each([
  ['I write it in C++.', 'I write it in C#.'],
  ['It was -5 degrees here.', 'It was 5 degrees here.'],
  ['It costs 5 €.', 'It costs 5 $.'],
  ['I have 5 % of it.', 'I have 5 of it.'],
  ['The new mill 👍', 'The new mill 👎'],
])('a sign or a symbol may tell texts apart: %s %s', (a, b) => {
  expect(result(said('a', a), said('b', b)).kept).toEqual(['a', 'b'])
})

test('marks of sentences and of Markdown tell no texts apart', () => {
  const found = [
    said('plain', 'The new mill on the hill by the long river grinds rye: a well-known grain, and 9 sorts of corn.'),
    said('marked', 'The new mill on the hill by the long river grinds **rye** (a well known grain)\n- and `9` sorts of corn', { at: 1 }),
  ]
  expect(result(...found).kept).toEqual(['marked'])
})

test('many long messages that begin alike are compared within the time of a test', () => {
  const log = 'The ferry left and came back, as was written on board. '.repeat(1_000)
  const found = Array.from({ length: 150 }, (_, number) => said(`${number}`, `${log}${number}`))
  expect(result(...found).omitted).toEqual([])
})
