import { describe, expect, test } from 'vitest'
import { textOfParts } from '../messages/parts.ts'
import { spokenText } from './spoken.ts'

const spoken = (role: 'user' | 'assistant' | 'tool', parts: readonly unknown[]): string =>
  spokenText({ role, parts, content: textOfParts(parts) })
const answered = (value: string): string =>
  spoken('tool', [{ type: 'tool-result', toolCallId: '1', toolName: 'ask', output: { type: 'text', value } }])

describe('what is said in a message with parts', () => {
  test('is what the assistant says, and not what it calls', () => {
    expect(
      spoken('assistant', [
        { type: 'text', text: 'I look at the tide table.' },
        { type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: 'tides.csv' } },
      ]),
    ).toBe('I look at the tide table.')
    expect(spoken('assistant', [{ type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: 'tides.csv' } }])).toBe('')
  })

  test('is a tool’s answer in a line, or as JSON, and not what it prints to be worked on', () => {
    expect(answered('High water at 14:20')).toBe('High water at 14:20')
    expect(answered('{"high": "14:20"}')).toBe('{"high": "14:20"}')
    expect(
      spoken('tool', [{ type: 'tool-result', toolCallId: '1', toolName: 'ask', output: { type: 'json', value: { high: '14:20' } } }]),
    ).toBe('{"high":"14:20"}')
    expect(answered('1→import { tide } from "./tide.js"')).toBe('')
    expect(answered('PASS test/tide.test.ts\nTests 3 passed')).toBe('')
  })

  test('is the whole text of a message without tools, and of what a person says', () => {
    expect(
      spoken('assistant', [
        { type: 'text', text: 'Good morning.' },
        { type: 'reasoning', text: 'greet' },
      ]),
    ).toBe('Good morning.')
    expect(spokenText({ role: 'tool', content: 'status booked' })).toBe('status booked')
    expect(spokenText({ role: 'user', parts: [{ type: 'text', text: 'Hello' }], content: 'Hello' })).toBe('Hello')
  })
})
