import { expect, test } from 'vitest'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { shapeOf } from './shape.ts'

const plain = { role: 'user', content: 'Hello.' }

test.each([
  ['own', [plain]],
  ['own', [{ role: 'tool', content: 'ok' }]],
  ['own', [{ role: 'user', content: 'Hello.', parts: [{ type: 'text', text: 'Hello.' }], at: 1 }]],
  ['own', [plain, { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }] }]],
  ['AI SDK UIMessage', [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] }]],
  [
    'Anthropic',
    [
      plain,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Hm' },
          { type: 'tool_use', id: 'a', name: 'read', input: {} },
        ],
      },
    ],
  ],
  [
    'OpenAI chat',
    [
      { role: 'developer', content: 'Be brief.' },
      { role: 'assistant', content: null, tool_calls: [] },
    ],
  ],
  ['OpenAI Responses', [plain, { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' }]],
])('it is told to be %s', (shape, messages) => {
  expect(shapeOf(messages)).toBe(shape)
})

test.each([
  [
    'of two shapes',
    [
      plain,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
    ],
    'messages[2]',
    /Anthropic.*one shape.*OpenAI chat/,
  ],
  ['with a UIMessage among others', [plain, { id: 'a', role: 'user', parts: [] }], 'messages[1]', /UIMessage/],
  ['no object', ['hello'], 'messages[0]', /OpenAI Responses/],
  ['without a role', [plain, { content: 'x' }], 'messages[1]', /Anthropic/],
  ['of an unknown role', [{ role: 'narrator', content: 'x' }], 'messages[0]', /received an object of 2 fields/],
  ['with content of no kind', [{ role: 'user', content: 7 }], 'messages[0]', /AI SDK ModelMessage/],
])('messages %s are refused, the first by its place', (_, messages, option, expected) => {
  let refused: unknown
  try {
    shapeOf(messages)
  } catch (error) {
    refused = error
  }
  expect(refused).toBeInstanceOf(InvalidOption)
  expect(refused).toMatchObject({ option, message: expect.stringMatching(expected) })
})
