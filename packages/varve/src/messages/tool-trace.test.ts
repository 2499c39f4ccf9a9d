import { expect, test } from 'vitest'
import { isToolTrace, besideTools } from './tool-trace.ts'
import { textOfParts } from './parts.ts'

const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'hours', input: { place: 'kiosk' } }
const used = { type: 'tool_use', id: 'c1', name: 'hours', input: {} }
const shown = { type: 'tool-hours', toolCallId: 'c1', state: 'output-available', input: {}, output: 'ten' }
const result = { type: 'tool_result', tool_use_id: 'c1', content: 'ten' }
const words = { type: 'text', text: 'Let me look.' }

const message = (role: 'user' | 'assistant' | 'tool', parts: readonly unknown[]) => ({ role, parts, content: textOfParts(parts) })

test.each([
  ['a call', message('assistant', [call])],
  ['a call beside data of the host', message('assistant', [call, { type: 'data-weather', data: 'rain' }])],
  ['a call after a thought and a step', message('assistant', [{ type: 'step-start' }, { type: 'reasoning', text: 'hm' }, call, used])],
  ['a call beside an empty text', message('assistant', [{ type: 'text', text: ' ' }, call])],
  ['a call with its output', message('assistant', [shown])],
  ['a result in a user’s message', message('user', [result])],
  ['a server’s call and result', message('assistant', [{ type: 'server_tool_use', name: 'find' }, { type: 'web_search_tool_result' }])],
  ['an item of OpenAI’s', message('assistant', [{ type: 'function_call', name: 'hours', arguments: '{}' }])],
  ['a tool’s message', { role: 'tool' as const, content: 'ten' }],
])('%s is only a trace of tools', (_, one) => {
  expect(isToolTrace(one)).toBe(true)
})

test.each([
  ['words', { role: 'user' as const, content: 'hours({})' }, 'hours({})'],
  ['words beside a call', message('assistant', [words, call]), 'Let me look.'],
  [
    'words around a call with its output',
    message('assistant', [words, shown, { type: 'text', text: 'At ten.' }]),
    'Let me look.\n\nAt ten.',
  ],
  ['words that were given beside the parts', { ...message('assistant', [call]), content: 'Let me look.' }, 'Let me look.'],
  ['a picture', message('user', [{ type: 'image', mediaType: 'image/png' }]), '[image image/png]'],
  ['a thought', message('assistant', [{ type: 'reasoning', text: 'hm' }]), '[reasoning]'],
])('%s are none, and are shown without calls', (_, one, said) => {
  expect(isToolTrace(one)).toBe(false)
  expect(besideTools(one)).toEqual({ content: said, recalled: [] })
})

test('ranges of a message are told of its words without the calls of tools', () => {
  const all = message('assistant', [call, 'Let me look.', shown, { type: 'text', text: '' }, 'It is open at ten, as you said.', result])
  const range = (from: string, to: string) => ({ from: all.content.indexOf(from), to: all.content.indexOf(to) + to.length })
  const cut = (...recalled: readonly { from: number; to: number }[]): readonly string[] => {
    const beside = besideTools({ ...all, recalled })
    return (beside.recalled ?? []).map(({ from, to }) => beside.content.slice(from, to))
  }
  expect(cut(range('Let me', 'Let me'), range('ten, as', 'ten, as'))).toEqual(['Let me', 'ten, as'])
  expect(cut(range('kiosk', 'Let'), range('look.', 'It is'))).toEqual(['Let', 'look.\n\nIt is'])
  expect(cut(range('hours', 'kiosk'))).toEqual([])
})
