import { expect, test } from 'vitest'
import type { BankNode } from './bank-node.ts'
import { frontier } from './frontier.ts'
import { pinsFit } from './pins.ts'

const count = (text: string) => text.match(/\S+/g)?.length ?? 0
const node = (id: string): BankNode => ({
  id,
  version: 1,
  granularity: 'day',
  period: '2026-10-08',
  bullets: ['one two three'],
  conversations: 1,
  firstAt: 0,
  lastAt: 0,
  pinned: true,
  children: [],
})

// requirement: BANK-21
test('pins take at most half of the budget, together', () => {
  // Five words of label, a dash and three words.
  expect(pinsFit([node('a')], { maxTokens: 18, count })).toEqual({ fits: true, tokens: 9, maxTokens: 9 })
  expect(pinsFit([node('a')], { maxTokens: 17, count })).toEqual({ fits: false, tokens: 9, maxTokens: 8 })
  expect(pinsFit([node('a'), node('b')], { maxTokens: 35, count })).toEqual({ fits: false, tokens: 18, maxTokens: 17 })
  expect(pinsFit([], { maxTokens: 0, count })).toEqual({ fits: true, tokens: 0, maxTokens: 0 })
})

test('what it counts is what the block has of them', () => {
  const { text } = frontier([node('a')], { maxTokens: 100, now: 0, timeZone: 'UTC', count })
  expect(count(text.split('\n').slice(2).join('\n'))).toBe(pinsFit([node('a')], { maxTokens: 100, count }).tokens)
})
