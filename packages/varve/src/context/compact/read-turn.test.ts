import { expect, test } from 'vitest'
import { textOfParts } from '../../messages/parts.ts'
import { readTurn } from './read-turn.ts'
import { isAsked, storedText } from './turn.ts'

const modelParts = [
  { type: 'text', text: 'Look:' },
  { type: 'reasoning', text: 'Hm.' },
  { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts', lines: [1, 2] } },
  { type: 'file', mediaType: 'image/png', data: 'AAAA' },
  { type: 'image', image: new Uint8Array(4) },
]
const results = [
  { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'text', value: 'line' } },
  { type: 'tool-result', toolCallId: 'b', toolName: 'find', output: { type: 'json', value: { n: 1 } } },
]
const blocks = [
  { type: 'text', text: 'Look:' },
  { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } },
]
const blockResults = [
  { type: 'tool_result', tool_use_id: 'a', content: 'line' },
  {
    type: 'tool_result',
    tool_use_id: 'b',
    content: [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
  },
]
const uiParts = [
  { type: 'step-start' },
  { type: 'text', text: 'Found.' },
  { type: 'tool-read', toolCallId: 'a', state: 'output-available', input: { path: 'a' }, output: { rows: 2 } },
  { type: 'dynamic-tool', toolName: 'grep', toolCallId: 'b', state: 'output-error', input: { q: 'x' }, errorText: 'no such file' },
  { type: 'tool-ask', toolCallId: 'c', state: 'input-available', input: {} },
]

test.each([
  ['a ModelMessage', 'content', modelParts],
  ['its results', 'content', results],
  ["Anthropic's blocks", 'content', blocks],
  ['their results', 'content', blockResults],
  ['a UIMessage', 'parts', uiParts],
])('%s says what append stores of it', (_, field, parts) => {
  expect(storedText(readTurn({ role: field === 'parts' ? 'assistant' : 'user', [field]: parts }))).toBe(textOfParts(parts))
})

test('bytes are not carried: a picture is named, and what is long without a blank in an output is named by its length', () => {
  const data = 'QUJD'.repeat(5_000)
  const turn = readTurn({
    role: 'user',
    content: [
      { type: 'image', source: { type: 'base64', data } },
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source: { data } }] },
      { type: 'tool_result', tool_use_id: 'b', content: { png: data } },
    ],
  })
  expect(JSON.stringify(turn).length).toBeLessThan(600)
  expect(turn.pieces).toEqual([
    { kind: 'file', text: '[image]' },
    { kind: 'result', id: 'a', name: '', output: '[image]', failed: false },
    { kind: 'result', id: 'b', name: '', output: '{"png":"[20000 characters]"}', failed: false },
  ])
})

test('a call of a UIMessage waits until it has an output', () => {
  const { pieces } = readTurn({ role: 'assistant', parts: uiParts })
  expect(pieces.flatMap((piece) => (piece.kind === 'call' ? [[piece.name, piece.isOpen]] : []))).toEqual([
    ['read', false],
    ['grep', false],
    ['ask', true],
  ])
})

test('what only hands results back was asked by nobody', () => {
  expect(isAsked(readTurn({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] }))).toBe(false)
  expect(
    isAsked(
      readTurn({
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
          { type: 'text', text: 'And now?' },
        ],
      }),
    ),
  ).toBe(true)
  expect(isAsked(readTurn({ role: 'user', content: '' }))).toBe(true)
})

test("OpenAI's calls and answers are read with their ids, old ones by their function's name", () => {
  expect(
    readTurn({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"p":1}' } }],
    }).pieces,
  ).toEqual([{ kind: 'call', id: 'c1', name: 'read', input: '{"p":1}', isOpen: true }])
  expect(readTurn({ role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'ok' }] }).pieces).toEqual([
    { kind: 'result', id: 'c1', name: '', output: 'ok', failed: false },
  ])
  const [call] = readTurn({ role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } }).pieces
  const [result] = readTurn({ role: 'function', name: 'read', content: 'ok' }).pieces
  expect(call?.kind === 'call' && result?.kind === 'result' && call.id === result.id).toBe(true)
})
