import { describe, expect, it, test } from 'vitest'
import { temporaryFiles } from '../../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../../test/fixtures/importers/recording-handle.ts'
import { importFile } from '../import-file.ts'

const file = temporaryFiles()

async function imported(value: unknown, name = 'odd.json') {
  const handle = new RecordingHandle({ scope: { project: 'default', user: 'ada' } })
  const text = Array.isArray(value) && name.endsWith('l') ? value.map((one) => JSON.stringify(one)).join('\n') : JSON.stringify(value)
  const report = await importFile(handle, file(name, text), { now: handle.now })
  const said = Object.entries(handle.everything).flatMap(([session, all]) =>
    all.map(({ role, content }) => `${session} ${role}: ${String(content)}`),
  )
  return { handle, report, said }
}

describe('LangChain: messages that hold their fields themselves', () => {
  const empty = { additional_kwargs: {}, response_metadata: {} }
  const flat = [
    { content: 'I moved to Odense.', ...empty, type: 'human', name: 'ada', id: 'h', example: false },
    { content: [{ type: 'text', text: 'I look.' }], type: 'ai', id: 'a', tool_calls: [{ name: 'map', args: { q: 'Odense' }, id: 'c' }] },
    { content: 'A town', type: 'tool', id: 't', tool_call_id: 'c', status: 'success' },
    { content: 'Be kind.', ...empty, type: 'system' },
    { content: '', type: 'remove', id: 'h' },
  ]
  const expected = ['user: I moved to Odense.', 'assistant: I look.\n\nmap({"q":"Odense"})', 'tool: map: A town', 'system: Be kind.']

  it.each([
    ['a list', flat, 'odd.json', 'odd'],
    ['one a line', flat, 'odd.jsonl', 'odd'],
    ['the state of a graph', { messages: flat }, 'odd.json', 'odd'],
    ['an object by session', { monday: flat }, 'odd.json', 'monday'],
  ])('%s arrives whole, with the names of the tools that answered', async (_name, value, name, session) => {
    const { report, said, handle } = await imported(value, name)
    expect(report).toMatchObject({ format: 'langchain', messages: 4, skipped: { bookkeeping: 1 } })
    expect(said).toEqual(expected.map((one) => `${session} ${one}`))
    expect(handle.of(session)[0]).toMatchObject({ id: 'h', name: 'ada' })
  })

  it('calls that stand as the model wrote them are kept, and name their results', async () => {
    const ai = (more: object) => ({ type: 'ai', data: { content: '', additional_kwargs: more } })
    const { said, report } = await imported([
      { type: 'human', data: { content: 'Rain?' } },
      ai({ function_call: { name: 'weather', arguments: '{"in":"Ribe"}' } }),
      { type: 'function', data: { content: 'Rain', name: 'weather' } },
      ai({ tool_calls: [{ id: 'k', type: 'function', function: { name: 'calc', arguments: '{"a":1}' } }] }),
      { type: 'tool', data: { content: '2', tool_call_id: 'k' } },
      ai({ tool_calls: 'none', function_call: null }),
    ])
    expect(said.map((one) => one.slice(4))).toEqual([
      'user: Rain?',
      'assistant: weather({"in":"Ribe"})',
      'tool: weather: Rain',
      'assistant: calc({"a":1})',
      'tool: calc: 2',
    ])
    expect(report.skipped).toEqual({ 'empty content': 1 })
  })

  it('rows of a table that keeps histories have their session and time, and their message as JSON', async () => {
    const row = (message: unknown) => ({ session_id: 7, message, created_at: '2025-05-05 10:00:00+00' })
    const stored = { type: 'human', data: { content: 'Hello' } }
    const { said, handle } = await imported([row(JSON.stringify(stored)), row({ type: 'ai', data: { content: 'Hi' } })], 'rows.jsonl')
    expect(said).toEqual(['7 user: Hello', '7 assistant: Hi'])
    expect(handle.of('7').map(({ at }) => at)).toEqual([Date.UTC(2025, 4, 5, 10), Date.UTC(2025, 4, 5, 10)])
  })

  it.each([
    ['a log', [{ type: 'system', content: 'disk full' }]],
    ['pages of a site', [{ type: 'tool', content: 'A hammer', price: 7 }]],
  ])('%s is no message of LangChain', async (_name, value) => {
    await expect(imported(value)).rejects.toThrow('its format is not known')
  })
})

describe('OpenAI Agents', () => {
  it('a result has the name of the tool that was called, and a tool of the provider its answer', async () => {
    const { said } = await imported([
      { role: 'user', content: 'Book a table.' },
      { type: 'function_call', call_id: 'c', name: 'book', arguments: '{"n":2}', id: 'f' },
      { type: 'function_call_output', call_id: 'c', output: 'Done' },
      { type: 'hosted_tool_call', id: 'h', name: 'file_search', status: 'completed', arguments: '{"q":"menu"}', output: 'Fish' },
      { type: 'mcp_call', id: 'm', name: 'lookup', arguments: '{}', output: null, error: 'not there' },
      { type: 'code_interpreter_call', id: 'i', code: '1+1', outputs: [{ type: 'logs', logs: '2' }] },
    ])
    expect(said.map((one) => one.slice(4))).toEqual([
      'user: Book a table.',
      'assistant: book({"n":2})',
      'tool: book: Done',
      'assistant: file_search({"q":"menu"})\n\nfile_search: Fish',
      'assistant: lookup({})\n\nlookup: not there',
      'assistant: code_interpreter({"code":"1+1"})\n\ncode_interpreter: 2',
    ])
  })

  it('sessions without a call of a tool, and rows of the SDK’s table, are told', async () => {
    const items = [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }]
    expect((await imported([{ sessionId: 's', items }])).said).toEqual(['s user: Hello'])
    const row = { id: 1, session_id: 'z', message_data: JSON.stringify(items[0]), created_at: '2025-05-05 10:00:00' }
    const { said, handle, report } = await imported([row], 'rows.jsonl')
    expect([said, handle.of('z')[0]?.at, report.repaired]).toEqual([
      ['z user: Hello'],
      Date.UTC(2025, 4, 5, 10),
      { 'time without zone': 1 },
    ])
  })
})

describe('MCP server-memory', () => {
  const graph = { entities: [{ name: 'Cy', entityType: 'cat', observations: ['Sleeps'] }], relations: [] }
  const answer = { content: [{ type: 'text', text: JSON.stringify(graph) }], structuredContent: graph }

  it.each([
    ['as it came', JSON.stringify(answer)],
    ['indented', JSON.stringify(answer, undefined, 2)],
  ])('the answer of `read_graph` over MCP is the graph, %s', async (_name, text) => {
    const handle = new RecordingHandle()
    const report = await importFile(handle, file('answer.json', text), { now: handle.now })
    expect(report).toMatchObject({ format: 'server-memory', stored: 1, duplicates: 0, skipped: {} })
    expect(handle.of('server-memory').map(({ content }) => content)).toEqual(['Cy (cat): Sleeps'])
  })
})

test('lines are named for what was left out alone: the owner of a message counts, a reason without a case does not', async () => {
  const flat = [
    { type: 'human', data: { content: 'I moved.' } },
    { type: 'human', data: { content: '' } },
    { type: 'human', user: 'eve', data: { content: 'I am somebody else.' } },
  ]
  const { report } = await imported(flat, 'odd.jsonl')
  expect(report.lines).toEqual({ 'empty content': [2], 'of another user': [3] })
})

describe('a line of brackets', () => {
  const deep = (opening: string, ending: string) => `${opening.repeat(30_000)}1${ending.repeat(30_000)}`
  const human = '{"type":"human","data":{"content":"I moved."}}'
  const entity = '{"type":"entity","name":"Cy","entityType":"cat","observations":["Sleeps"]}'

  it.each([
    ['langchain', human, `{"messages":${deep(`[${human},`, ']')}}`],
    ['server-memory', entity, deep('{"structuredContent":', '}')],
    ['server-memory', entity, JSON.stringify({ text: deep('{"structuredContent":', '}') })],
  ])('of %s does not use up the stack: what stands before and behind it arrives', async (format, one, brackets) => {
    const handle = new RecordingHandle()
    const report = await importFile(handle, file('deep.jsonl', `${one}\n${brackets}\n${one}\n`), { now: handle.now })
    expect(report.format).toBe(format)
    expect(report.stored + report.duplicates).toBeGreaterThanOrEqual(2)
  })
})
