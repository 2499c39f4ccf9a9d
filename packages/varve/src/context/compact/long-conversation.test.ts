import { expect, test } from 'vitest'
import { estimate, filesTokens, messageTokens, textsOf } from './estimate.ts'
import { longConversationTokens } from './long-conversation.ts'
import { readTurn } from './read-turn.ts'

const words = 'A lamp that stands in the hall was lit by whoever came home last. '

/** Estimates all texts of all messages, each once, however often it is said. */
function byEachMessage(messages: readonly object[]): number {
  const known = new Map<string, number>()
  const tokensOf = (text: string): number => {
    const tokens = known.get(text) ?? estimate(text, text.length)
    known.set(text, tokens)
    return tokens
  }
  return messages
    .map(readTurn)
    .reduce((sum, turn) => sum + messageTokens + filesTokens(turn) + textsOf(turn).reduce((all, text) => all + tokensOf(text), 0), 0)
}

const call = (place: number) => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: `call-${place}`, toolName: 'look', input: { place } }],
})
const result = (place: number) => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: `call-${place}`, toolName: 'look', output: { type: 'text', value: words.repeat(1 + (place % 40)) } },
  ],
})

test.each([
  ['words alone', (place: number) => ({ role: place % 2 === 0 ? 'user' : 'assistant', content: words.repeat(1 + (place % 7)) })],
  ['calls and results in turn', (place: number) => (place % 2 === 0 ? call(place) : result(place))],
  ['a call among words', (place: number) => (place % 14 === 0 ? result(place) : { role: 'user', content: words })],
  ['parts', (place: number) => ({ id: `id-${place}`, role: 'user', parts: [{ type: 'text', text: words.repeat(1 + (place % 11)) }] })],
])('is estimated to within a fifth: %s', (_, messageAt) => {
  const messages = Array.from({ length: 14_000 }, (__, place) => messageAt(place))
  const estimated = longConversationTokens(messages) / byEachMessage(messages)
  expect(estimated).toBeGreaterThan(0.8)
  expect(estimated).toBeLessThan(1.2)
})

test('of twenty thousand messages of parts, few are looked into', () => {
  const looked = new Set<number>()
  const messages = Array.from({ length: 20_000 }, (_, place) => ({
    role: 'user',
    get parts() {
      looked.add(place)
      return [{ type: 'text', text: words }]
    },
  }))
  longConversationTokens(messages)
  expect(looked.size).toBeLessThan(2_000)
})
