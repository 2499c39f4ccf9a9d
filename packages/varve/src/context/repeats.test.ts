import { expect, test } from 'vitest'
import type { MessageHit } from '../recall/hit.ts'
import { withoutRepeats } from './repeats.ts'

function said(id: string, text: string, more: Partial<Pick<MessageHit, 'role' | 'name' | 'at'>> = {}): { hit: MessageHit } {
  const hit = { kind: 'message', session: 's', seq: 1, score: 1, signals: [], neighbours: [], lineage: [], role: 'user', at: 0 } as const
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
