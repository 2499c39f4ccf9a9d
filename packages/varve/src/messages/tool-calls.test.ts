import { expect, test } from 'vitest'
import { callsIn, isMain } from './tool-calls.ts'

test.each([['tool-call'], ['tool_use'], ['function_call'], ['dynamic-tool'], ['tool-weather']])(
  "an assistant's part %s is a call",
  (type) => {
    expect(callsIn({ role: 'assistant', parts: [{ type: 'text', text: 'Let me look.' }, { type }, { type }] })).toBe(2)
  },
)

test.each([
  ['text'],
  ['tool-result'],
  ['tool_result'],
  ['tool-error'],
  ['tool-approval-request'],
  ['reasoning'],
  ['function_call_output'],
  ['step-start'],
])('a part %s is none', (type) => {
  expect(callsIn({ role: 'assistant', parts: [{ type }] })).toBe(0)
})

test('parts that are no objects with a type are none', () => {
  expect(callsIn({ role: 'assistant', parts: [null, 'tool-call', 7, {}, { type: 3 }, ['tool_use']] })).toBe(0)
})

test("a tool's message without parts tells of a call; with parts it is the result of one that was counted", () => {
  expect(callsIn({ role: 'tool' })).toBe(1)
  expect(callsIn({ role: 'tool', parts: [] })).toBe(1)
  expect(callsIn({ role: 'tool', parts: [{ type: 'tool-result' }] })).toBe(0)
})

test('nobody else calls a tool', () => {
  expect(callsIn({ role: 'user', parts: [{ type: 'tool_use' }] })).toBe(0)
  expect(callsIn({ role: 'system', parts: [{ type: 'tool-call' }] })).toBe(0)
  expect(callsIn({ role: 'assistant' })).toBe(0)
})

test('a message of a thread is not of the main conversation', () => {
  expect(isMain({})).toBe(true)
  expect(isMain({ thread: 'explorer' })).toBe(false)
})
