import { expect, test } from 'vitest'
import { callsIn } from './tool-calls.ts'
import { textOfParts } from './parts.ts'
import { isToolTrace } from './tool-trace.ts'

test.each([
  [{ type: 'function_call', name: 'hours', arguments: '{"place":"kiosk"}' }, 'hours({"place":"kiosk"})'],
  [{ type: 'hosted_tool_call', name: 'web_search_call', output: 'found it' }, 'web_search_call(): found it'],
  [{ type: 'tool_search_call', arguments: { query: 'kiosk' } }, 'tool_search({"query":"kiosk"})'],
  [{ type: 'computer_call', action: { type: 'wait' } }, 'computer({"type":"wait"})'],
  [{ type: 'shell_call', action: { commands: ['ls', 'pwd'] } }, 'shell(ls\npwd)'],
  [{ type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a.md' } }, 'apply_patch(delete_file a.md)'],
  [{ type: 'program', code: 'run()' }, 'program(run())'],
])('an assistant’s call is told as one: %j', (part, text) => {
  const message = { role: 'assistant', content: text, parts: [part] } as const
  expect(textOfParts([part])).toBe(text)
  expect(callsIn(message)).toBe(1)
  expect(isToolTrace(message)).toBe(true)
})

test.each([
  [{ type: 'function_call_output', output: 'at ten' }, 'at ten'],
  [{ type: 'function_call_result', name: 'hours', output: { type: 'text', text: 'at ten' } }, 'hours: at ten'],
  [{ type: 'function_call_result', name: 'photo', output: [{ type: 'input_image', image: 'data:,' }] }, 'photo: [input_image]'],
  [{ type: 'tool_search_output', tools: [{ name: 'hours' }, {}] }, 'hours'],
  [{ type: 'computer_call_result', output: { data: 'data:,' } }, '[computer_call_result]'],
  [
    {
      type: 'shell_call_output',
      output: [
        { stdout: 'a', stderr: 'b' },
        { stdout: '', stderr: '' },
      ],
    },
    'a\nb',
  ],
  [{ type: 'apply_patch_call_output', output: 'done' }, 'done'],
  [{ type: 'program_output', output: 'done' }, 'done'],
])('a result is told by its words: %j', (part, text) => {
  expect(textOfParts([part])).toBe(text)
  expect(callsIn({ role: 'assistant', parts: [part] })).toBe(0)
})

test.each([[null], [7], [{ commands: 'ls' }], [undefined]])('an item with fields of other types is told without them: %j', (odd) => {
  for (const type of ['shell_call', 'shell_call_output', 'tool_search_output', 'apply_patch_call', 'function_call_result'])
    expect(typeof textOfParts([{ type, action: odd, output: odd, tools: odd, operation: odd }])).toBe('string')
})
