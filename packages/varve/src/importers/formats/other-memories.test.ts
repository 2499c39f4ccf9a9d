import { describe, expect, it } from 'vitest'
import { fixture, temporaryFiles } from '../../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../../test/fixtures/importers/recording-handle.ts'
import type { MessageInput } from '../../messages/message.ts'
import { importFile } from '../import-file.ts'

const file = temporaryFiles()

async function imported(path: string, scope?: { project: string; user?: string }) {
  const handle = new RecordingHandle(scope === undefined ? {} : { scope })
  const report = await importFile(handle, path, { now: handle.now })
  return { handle, report }
}

const ada = { project: 'default', user: 'ada' }
const contents = (messages: readonly MessageInput[]) => messages.map(({ content }) => content)
const json = (name: string, value: unknown): string => file(name, JSON.stringify(value))

describe('mem0: memories', () => {
  it('of { results } become messages of a tool, a run’s in a session of its own, with times, ids and details', async () => {
    const { handle, report } = await imported(fixture('mem0.json'), ada)
    expect(report).toMatchObject({ format: 'mem0', messages: 2, sessions: 2 })
    expect(handle.of('mem0')).toEqual([
      {
        role: 'tool',
        origin: 'tool',
        name: 'mem0',
        content: 'Keeps two grey geese at the lock',
        id: '6d0a9a6c-3f0e-4c50-9d8b-0b8a2a6f1c01',
        at: Date.parse('2025-02-03T16:15:30.120Z'),
        metadata: { topic: 'animals', importedFrom: 'mem0' },
      },
    ])
    expect(handle.of('mem0/trip-7')[0]?.metadata).toEqual({
      importedFrom: 'mem0',
      agent: 'kiosk-bot',
      actor: 'Ada',
      createdAt: '2025-02-03T09:00:00.000Z',
    })
    expect(handle.of('mem0/trip-7')[0]?.at).toBe(Date.parse('2025-03-01T07:30:00Z'))
  })

  it('of another user, without words, or that are none are left out and counted, and relations of two users', async () => {
    const { report } = await imported(fixture('mem0.json'), ada)
    expect(report.skipped).toEqual({ 'of another user': 1, 'empty content': 2, 'not a memory': 2, 'of one of several accounts': 1 })
    expect(report.repaired).toEqual({ 'metadata left out': 1 })
  })

  it('of the platform are a list, with categories and the day on which they end', async () => {
    const { handle } = await imported(fixture('mem0-platform.json'), ada)
    expect(contents(handle.of('mem0'))).toEqual(['User rows on Tuesdays', "User's boat is called Linea"])
    expect(handle.of('mem0')[0]?.metadata).toEqual({
      source: 'chat',
      importedFrom: 'mem0',
      categories: 'sports, hobbies',
      expires: '2026-01-01',
    })
  })

  it('of the library for TypeScript have their words in camel case', async () => {
    const memory = { id: 'm', memory: 'Rows', hash: 'x', createdAt: '2025-01-02T00:00:00.000Z', metadata: {}, user_id: 'ada' }
    const { handle } = await imported(json('typescript.json', { results: [memory] }), ada)
    expect(handle.of('mem0')[0]).toMatchObject({ id: 'm', at: Date.parse('2025-01-02T00:00:00Z') })
  })

  it('were said when they were last updated: in ISO 8601, in seconds and in milliseconds', async () => {
    const of = (id: string, created_at: unknown, updated_at: unknown) => ({
      id,
      memory: id,
      hash: 'x',
      user_id: 'ada',
      created_at,
      updated_at,
    })
    const [seconds, milliseconds] = [1_721_989_776, 1_741_000_000_000]
    const results = [
      of('updated', '2024-07-26T08:29:36-07:00', '2025-03-02T10:00:00-08:00'),
      of('numbers', seconds, milliseconds),
      of('without a begin', null, seconds),
      of('unreadable', '2024-07-26T08:29:36-07:00', 'last week'),
    ]
    const { handle } = await imported(json('updated.json', { results }), ada)
    expect(handle.of('mem0').map(({ at, metadata }) => [at, metadata?.['createdAt']])).toEqual([
      [Date.parse('2025-03-02T18:00:00Z'), '2024-07-26T15:29:36.000Z'],
      [milliseconds, '2024-07-26T10:29:36.000Z'],
      [seconds * 1000, undefined],
      [Date.parse('2024-07-26T15:29:36Z'), undefined],
    ])
  })

  it('of one user bring the relations of the graph along', async () => {
    const memory = { id: 'm', memory: 'Keeps geese', hash: 'x', user_id: 'ada' }
    const relations = [{ source: 'ada', relationship: 'lives_near', destination: 'lock_7' }]
    const { handle } = await imported(json('graph.json', { relations, results: [memory] }), ada)
    expect(contents(handle.of('mem0'))).toEqual(['Keeps geese', 'ada lives near lock 7'])
    const others = await imported(json('graph.json', { relations, results: [memory] }), { project: 'default', user: 'ben' })
    expect(others.report).toMatchObject({ messages: 0, skipped: { 'of another user': 2 } })
  })

  it('of an agent are the agent’s, of an app the project’s; a name that is none is nobody’s', async () => {
    const base = { memory: 'Opens at nine', hash: 'x' }
    const path = json('owners.json', [
      { ...base, id: '1', user_id: null, agent_id: 'kiosk' },
      { ...base, id: '2', user_id: 'ada', app_id: 'pier' },
      { ...base, id: '3', user_id: { deep: 1 } },
      { ...base, id: '4', user_id: '' },
      { ...base, id: '5', user_id: 'ada' },
    ])
    const { handle, report } = await imported(path, ada)
    expect(handle.of('mem0').map(({ id }) => id)).toEqual(['5'])
    expect(report.skipped).toEqual({ 'of another user': 1, 'of another project': 1, 'unreadable owner': 2 })
    expect((await imported(path, { project: 'default', user: 'kiosk' })).handle.of('mem0')).toHaveLength(1)
  })

  it('cannot say that they are from elsewhere, nor be a person’s words', async () => {
    const memory = { id: 'm', memory: 'x', hash: 'x', user_id: 'ada', role: 'user', origin: 'person', metadata: { importedFrom: 'ada' } }
    const { handle } = await imported(json('claims.json', [memory]), ada)
    expect(handle.of('mem0')[0]).toMatchObject({ origin: 'tool', role: 'tool', metadata: { importedFrom: 'mem0' } })
  })
})

describe('MCP server-memory: a graph', () => {
  it('gives a message for each observation and relation, and for an entity without one', async () => {
    const { handle, report } = await imported(fixture('server-memory.jsonl'))
    expect(contents(handle.of('server-memory'))).toEqual([
      'Ada Fischer (person): Keeps two grey geese at the lock',
      'Ada Fischer (person): Speaks Danish',
      'Lock 7 (place)',
      'Ada Fischer works at Lock 7',
      'Linea (boat): Is painted green',
    ])
    expect(handle.of('server-memory')[3]).toMatchObject({
      origin: 'tool',
      metadata: { importedFrom: 'server-memory', from: 'Ada_Fischer', relation: 'works_at', to: 'Lock 7' },
    })
    expect(report.skipped).toEqual({ 'not a memory': 2, 'empty content': 1, 'unknown line': 1, 'not JSON': 1 })
  })

  it('is read from the answer of read_graph too, and what was added later is all that is stored', async () => {
    const entity = (observations: readonly string[]) => ({ name: 'Linea', entityType: 'boat', observations })
    const graph = (observations: readonly string[]) => ({
      entities: [entity(observations)],
      relations: [{ from: 'Linea', to: 'Lock 7', relationType: 'lies_at' }],
    })
    const { handle } = await imported(json('graph.json', graph(['Is green'])))
    const again = await importFile(handle, json('graph.json', graph(['Has a new mast', 'Is green'])), { now: handle.now })
    expect(again).toMatchObject({ format: 'server-memory', stored: 1, duplicates: 2 })
  })
})

describe('LangChain: stored messages', () => {
  it('keep roles, ids, calls and results of tools; pictures and removals are counted', async () => {
    const { handle, report } = await imported(fixture('langchain.json'))
    expect(handle.of('langchain').map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Answer in one sentence.'],
      ['user', 'Where is the grey barge today?'],
      ['assistant', 'barge_position({"barge":"grey"})'],
      ['tool', 'barge_position: At lock 7 since noon'],
      ['assistant', 'It lies at lock 7.'],
      ['user', 'This is her:'],
    ])
    expect(handle.of('langchain')[1]).toMatchObject({ id: 'h-1', name: 'Ada' })
    expect(handle.of('langchain')[2]).toMatchObject({ metadata: { model: 'small-model' } })
    expect(report.skipped).toEqual({ 'unknown role': 2, bookkeeping: 1 })
    expect(report.repaired).toMatchObject({ 'image left out': 1 })
  })

  const said = (content: string, id?: string) => ({ type: 'human', data: { content, ...(id === undefined ? {} : { id }) } })

  it.each([
    [
      'objects of a session with its messages',
      [
        { sessionId: 's1', messages: [said('a')] },
        { session_id: 's2', messages: [said('b')] },
      ],
    ],
    ['an object by session', { s1: [said('a')], s2: [said('b')] }],
    [
      'rows of a table',
      [
        { id: 1, session_id: 's1', message: said('a') },
        { id: 2, session_id: 's2', message: said('b') },
      ],
    ],
    [
      'messages that name their session',
      [
        { ...said('a'), session_id: 's1' },
        { ...said('b'), session_id: 's2' },
      ],
    ],
  ])('of several sessions come as %s', async (_name, value) => {
    const { handle, report } = await imported(json('sessions.json', value))
    expect(report.format).toBe('langchain')
    expect([...handle.stored.keys()]).toEqual(['s1', 's2'])
    expect(contents([...handle.of('s1'), ...handle.of('s2')])).toEqual(['a', 'b'])
  })

  it('of a file by user and session go to their user', async () => {
    const path = json('users.json', { ada: { s1: { context: {}, messages: [said('mine')] } }, ben: { s1: { messages: [said('his')] } } })
    const { handle, report } = await imported(path, ada)
    expect(contents(handle.of('s1'))).toEqual(['mine'])
    expect(report.skipped).toEqual({ 'of another user': 1 })
  })

  it('that share an id are all kept, and a second run still stores nothing twice', async () => {
    const path = json('ids.json', [said('one', 'run-1'), said('two', 'run-1'), said('one', 'run-1')])
    const { handle, report } = await imported(path)
    expect(report).toMatchObject({ stored: 2, duplicates: 1, repaired: { 'id replaced': 1 } })
    expect(await importFile(handle, path, { now: handle.now })).toMatchObject({ stored: 0, duplicates: 3 })
  })
})

describe('OpenAI Agents: items', () => {
  it('keep what was said, calls and results of tools; reasoning is left out and counted', async () => {
    const { handle, report } = await imported(fixture('openai-agents.json'))
    expect(handle.of('openai-agents').map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Where is the grey barge today?'],
      ['assistant', 'barge_position({"barge":"grey"})'],
      ['tool', 'barge_position: At lock 7 since noon'],
      ['assistant', 'It lies at lock 7.'],
      ['user', 'This is her:'],
      ['system', 'Answer in one sentence.'],
      ['assistant', 'web_search_call({"query":"grey barge"})'],
    ])
    expect(report.skipped).toEqual({ reasoning: 1, 'unknown content type': 1 })
  })

  it('of the SDK for Python, one a line, are read with their made-up ids', async () => {
    const lines = [
      { role: 'user', content: 'Where is she?' },
      { type: 'function_call', call_id: 'c1', name: 'position', arguments: '{broken', id: '__fake_id__' },
      { type: 'function_call_output', call_id: 'c1', output: 'At lock 7' },
      {
        type: 'message',
        role: 'assistant',
        id: '__fake_id__',
        status: 'completed',
        content: [{ type: 'output_text', text: 'At lock 7.' }],
      },
    ]
    const { handle, report } = await imported(file('python.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')))
    expect(report).toMatchObject({ format: 'openai-agents', stored: 4 })
    expect(contents(handle.of('python')).slice(1, 3)).toEqual(['position({"arguments":"{broken"})', 'position: At lock 7'])
  })

  it('of several sessions come in objects with their items', async () => {
    const item = { type: 'message', role: 'user', content: 'a' }
    const path = json('agents.json', [
      { sessionId: 's1', items: [item] },
      { sessionId: 's2', items: [item] },
    ])
    const handle = new RecordingHandle()
    await importFile(handle, path, { now: handle.now, format: 'openai-agents' })
    expect([...handle.stored.keys()]).toEqual(['s1', 's2'])
  })
})
