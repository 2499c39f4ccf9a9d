import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { importFile, type ImportReport } from '../../packages/varve/src/index.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { fixture, temporaryFiles } from '../fixtures/importers/files.ts'
import { mem0History } from '../fixtures/importers/mem0-history.ts'
import { sampleTranscript } from '../fixtures/importers/transcript.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const file = temporaryFiles()

function history(): string {
  const path = file('history.db', '')
  mem0History(path, { said: [['user_id=ada', 'I keep geese.']] }).close()
  return path
}

/** A file of each format. Those that are a list hold each of their elements twice. */
const samples: Readonly<Record<string, () => string>> = {
  chatgpt: () => twice('chatgpt.json'),
  claude: () => twice('claude.json'),
  'claude-code': () => file('session.jsonl', `${readFileSync(sampleTranscript, 'utf8')}\n${readFileSync(sampleTranscript, 'utf8')}`),
  jsonl: () =>
    file('messages.jsonl', `${readFileSync(fixture('messages.jsonl'), 'utf8')}\n${JSON.stringify(said)}\n${JSON.stringify(said)}`),
  langchain: () => twice('langchain.json'),
  locomo: () => fixture('locomo.json'),
  mem0: () => file('mem0.json', JSON.stringify({ results: [memory, { ...memory, id: 'n' }, memory] })),
  'mem0-history': history,
  'openai-agents': () => twice('openai-agents.json'),
  'server-memory': () =>
    file('graph.jsonl', `${readFileSync(fixture('server-memory.jsonl'), 'utf8')}\n${readFileSync(fixture('server-memory.jsonl'), 'utf8')}`),
}
const said = { role: 'user' as const, content: 'The lock is shut.', session: 'twice', id: 'one' }
const memory = { id: 'm', memory: 'Keeps geese', hash: 'x', user_id: 'ada', created_at: '2025-01-01T00:00:00Z' }

function twice(name: string): string {
  const elements: unknown = JSON.parse(readFileSync(fixture(name), 'utf8'))
  if (!Array.isArray(elements)) throw new TypeError(`${name} is no list`)
  return file(name, JSON.stringify([...elements, ...elements]))
}

const counts = ({ ms: _ms, ...rest }: ImportReport) => rest

describe.each(Object.keys(samples))('a dry run of %s', (format) => {
  const path = (): string => samples[format]?.() ?? ''

  test('counts as the import does: before it, after it, and after a forget', async () => {
    const store = await openForTest()
    const ada = store.for({ project: 'default', user: 'ada' })
    const given = path()
    const look = async (options: { dryRun?: boolean; restoreForgotten?: boolean } = {}) => counts(await importFile(ada, given, options))

    const dry = await look({ dryRun: true })
    expect(dry.stored).toBeGreaterThan(0)
    expect((await ada.sessions.list()).length).toBe(0)
    expect(await look()).toEqual(dry)

    const again = await look({ dryRun: true })
    expect(again).toEqual({ ...dry, stored: 0, duplicates: dry.messages })
    expect(await look()).toEqual(again)

    const [session] = await ada.sessions.list()
    await ada.forget({ session: session?.id ?? '' })
    const after = await look({ dryRun: true })
    expect(after.forgotten).toBeGreaterThan(0)
    const restored = await look({ dryRun: true, restoreForgotten: true })
    expect(restored).toMatchObject({ forgotten: 0, messages: after.messages })
    expect(await look()).toEqual(after)
    expect(await look({ restoreForgotten: true })).toEqual(restored)
  })
})

test('a dry run for several users counts each by what is theirs', async () => {
  const store = await openForTest()
  const lines = ['ada', 'ben', 'ada'].map((user) => JSON.stringify({ ...said, user }))
  const given = file('users.jsonl', lines.join('\n'))
  const look = async (dryRun: boolean) => counts(await importFile(store, given, { route: true, dryRun }))
  const dry = await look(true)
  expect(dry).toMatchObject({ messages: 3, stored: 2, duplicates: 1 })
  await store.for('ben').append('twice', said)
  const half = await look(true)
  expect([half.stored, half.duplicates]).toEqual([1, 2])
  expect(await look(false)).toEqual(half)
  expect(await look(true)).toMatchObject({ stored: 0, duplicates: 3 })
})

describe('varve import --dry-run', () => {
  const { varve } = typedIn('dry-run')

  test('tells what stands twice in the file, and what is there already', async () => {
    const given = samples['mem0']?.() ?? ''
    const dry = async () => (await varve(['import', given, '--user', 'ada', '--dry-run'])).stdout.split('\n')[1]
    expect(await dry()).toBe('2 to store, 1 there already.')
    expect((await varve(['import', given, '--user', 'ada'])).stdout).toContain('2 stored, 1 there already.')
    expect(await dry()).toBe('0 to store, 3 there already.')
  })
})
