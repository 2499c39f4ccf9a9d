import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { importFile, type Memory, type UserMemory } from '../../packages/varve/src/index.ts'
import { forgottenAmong, rememberForgotten } from '../../packages/varve/src/storage/log/forgotten-ids.ts'
import { partitionId, projectName } from '../../packages/varve/src/scope/partition.ts'
import { ensurePartition } from '../../packages/varve/src/storage/partitions.ts'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { chatgptConversation, fixture, temporaryFiles } from '../fixtures/importers/files.ts'
import { sampleTranscript } from '../fixtures/importers/transcript.ts'
import { canary, canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const file = temporaryFiles()
const talk = ['My PIN is 4711, keep it.', 'Kept.', 'Paint the skiff on Monday.', 'Noted.']
const at = (path: string) => ({ path, of: 4 })

/** Files with the same talk: with ids of their source, and without any, so that the import makes them. */
const files = {
  'ids of the source': () => at(file('chatgpt.json', JSON.stringify([chatgptConversation('harbour', talk)]))),
  'ids of the import': () =>
    at(file('own.jsonl', talk.map((content) => JSON.stringify({ session: 'harbour', role: 'user', content })).join('\n'))),
}

const ways: Readonly<Record<string, (memory: Memory, ada: UserMemory) => Promise<number>>> = {
  messages: async (_memory, ada) => {
    const [first, , third] = await ada.messages('harbour')
    await ada.forget({ messages: [first?.id ?? '', third?.id ?? ''] })
    return 2
  },
  session: async (_memory, ada) => (await ada.forget({ session: 'harbour' })).counts['message'] ?? 0,
  'sessions.delete': async (_memory, ada) => (await ada.sessions.delete('harbour')).counts['message'] ?? 0,
  before: async (_memory, ada) => (await ada.forget({ before: Date.now() + 60_000 })).counts['message'] ?? 0,
  all: async (_memory, ada) => (await ada.forget({ all: true })).counts['message'] ?? 0,
  'projects.delete': async (memory) => (await memory.projects.delete('default')).counts['message'] ?? 0,
}

async function contents(ada: UserMemory): Promise<string[]> {
  return (await ada.messages('harbour')).map(({ content }) => content)
}

describe.each(Object.entries(files))('a file with %s', (_name, made) => {
  // requirement: P3.15
  test.each(Object.entries(ways))('that is imported again does not bring back what was forgotten by %s', async (way, forget) => {
    const { path, of } = made()
    const memory = await openForTest()
    const ada = memory.for('ada')
    expect(await importFile(ada, path)).toMatchObject({ stored: of, forgotten: 0 })
    const gone = await forget(memory, ada)
    const left = await contents(ada)
    expect(left).toHaveLength(of - gone)

    expect(await importFile(ada, path)).toMatchObject({ messages: of, stored: 0, duplicates: of - gone, forgotten: gone })
    expect(await contents(ada)).toEqual(left)
    // A title does not come back without its messages. Forgetting them by time alone leaves the session, without a title.
    if (gone === of) expect((await ada.sessions.list()).filter(({ name }) => name !== undefined || way !== 'before')).toEqual([])

    expect(await importFile(ada, path, { restoreForgotten: true })).toMatchObject({ stored: gone, duplicates: of - gone, forgotten: 0 })
    expect([...(await contents(ada))].sort()).toEqual([...talk].sort())
    // They are there now: a further import counts them as such, and a further forget is remembered anew.
    expect(await importFile(ada, path)).toMatchObject({ stored: 0, duplicates: of, forgotten: 0 })
    await ada.forget({ session: 'harbour' })
    expect(await importFile(ada, path)).toMatchObject({ stored: 0, duplicates: 0, forgotten: of })
  })
})

test.each([
  ['chatgpt', fixture('chatgpt.json')],
  ['claude', fixture('claude.json')],
  ['claude-code', sampleTranscript],
  ['jsonl', fixture('messages.jsonl')],
  ['locomo', fixture('locomo.json')],
])('a file of %s that was imported and forgotten is left out as a whole', async (_format, path) => {
  const memory = await openForTest()
  const ada = memory.for('ada')
  const now = () => Date.UTC(2026, 10, 1)
  const { messages } = await importFile(ada, path, { now })
  await ada.forget({ all: true })
  expect(await importFile(ada, path, { now })).toMatchObject({ messages, stored: 0, duplicates: 0, forgotten: messages })
  expect(await ada.sessions.list()).toEqual([])
  expect(await memory.project('default').users()).toEqual([])
})

// requirement: P3.15
test('what one user forgot is stored for another, and in another session or project', async () => {
  const memory = await openForTest()
  const [ada, grace, elsewhere] = [memory.for('ada'), memory.for('grace'), memory.for({ project: 'other', user: 'ada' })]
  const message = { role: 'user', content: talk[0] ?? '', id: 'm1' } as const
  await ada.append('harbour', message)
  await ada.forget({ session: 'harbour' })
  for (const [handle, session] of [
    [grace, 'harbour'],
    [elsewhere, 'harbour'],
    [memory.for({ project: 'default' }), 'harbour'],
    [ada, 'another'],
  ] as const) {
    const appended = await handle.append(session, message)
    expect(appended.messages).toHaveLength(1)
    expect(appended).not.toHaveProperty('forgotten')
  }
})

// requirement: P3.15
test('an append names forgotten ids, stores the rest, and stores them again when it is told to', async () => {
  const memory = await openForTest()
  const ada = memory.for('ada')
  await ada.append('harbour', { role: 'user', content: 'one', id: 'm1' })
  const { messages } = await ada.append('harbour', { role: 'user', content: 'without an id' })
  await ada.forget({ session: 'harbour' })
  const batch = [
    { role: 'user', content: 'one', id: 'm1' },
    { role: 'user', content: 'two', id: 'm2' },
    { role: 'user', content: 'without an id' },
  ] as const
  const appended = await ada.append('harbour', batch)
  expect(appended.messages.map(({ seq, externalId }) => [seq, externalId])).toEqual([
    [1, 'm2'],
    [2, undefined],
  ])
  expect(appended.forgotten).toEqual(['m1'])
  expect(messages).toHaveLength(1)
  expect(memory.counters().forgottenBefore).toBe(1)
  const restored = await ada.append('harbour', batch.slice(0, 1), { restoreForgotten: true })
  expect(restored.messages).toMatchObject([{ seq: 3, externalId: 'm1', duplicate: false }])
  expect(await ada.append('harbour', batch[0])).toMatchObject({ duplicates: ['m1'] })
})

// requirement: P3.15
test('a restored line brings back no message that it names, and counts as stored', async () => {
  const ada = (await openForTest()).for('ada')
  const message = { role: 'user', content: 'one', id: 'm1' } as const
  const line = { role: 'system', content: 'A line.', id: 'goes-with:2:m1::own' } as const
  for (const given of [[message, line], [line]]) await ada.append('harbour', given)
  await ada.forget({ session: 'harbour', messages: ['m1'] })
  expect(await ada.append('harbour', line)).toMatchObject({ messages: [], forgotten: [line.id] })
  expect((await ada.append('harbour', line, { restoreForgotten: true })).messages).toMatchObject([{ duplicate: false }])
  expect(await ada.append('harbour', message)).toMatchObject({ messages: [], forgotten: ['m1'] })
  const again = await ada.append('harbour', line)
  expect(again.duplicates).toEqual([line.id])
  expect(again).not.toHaveProperty('forgotten')
  await ada.append('harbour', message, { restoreForgotten: true })
  expect(await contents(ada)).toEqual(['A line.', 'one'])
})

test('a long batch that is stored in parts leaves out what was forgotten in each', async () => {
  const ada = (await openForTest()).for('ada')
  const batch = Array.from({ length: 2_500 }, (_, place) => ({ role: 'user' as const, content: `entry ${place}`, id: `m${place}` }))
  const { messages } = await ada.append('log', batch)
  await ada.forget({ messages: messages.filter((_, place) => place % 500 === 0).map(({ id }) => id) })
  const again = await ada.append('log', batch)
  expect(again.forgotten).toEqual(['m0', 'm500', 'm1000', 'm1500', 'm2000'])
  expect(again.messages).toHaveLength(2_495)
  expect(again.messages.every(({ duplicate }) => duplicate)).toBe(true)
})

test('a replaced message is not a forgotten one', async () => {
  const ada = (await openForTest()).for('ada')
  const { messages } = await ada.append('harbour', { role: 'user', content: 'one', id: 'm1' })
  await ada.replace(messages[0]?.id ?? '', 'two')
  expect(await ada.append('harbour', { role: 'user', content: 'one', id: 'm1' })).toMatchObject({ duplicates: ['m1'] })
  expect(await contents(ada)).toEqual(['two'])
})

// requirement: P3.1
test('no external id, session or user of a forgotten message stands in the file', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const [user, session, id] = [canary(), canary(), canary()]
  const path = file('canaries.jsonl', JSON.stringify({ session, role: 'user', content: canaryText(400), id }))
  const handle = memory.for(user)
  await importFile(handle, path)
  expect((await handle.forget({ all: true })).physical).toBe('done')
  expect(await importFile(handle, path)).toMatchObject({ stored: 0, forgotten: 1 })
  expect(tracesOf([readFileSync(path, 'utf8'), user], store)).toEqual([])
})

test('an owner keeps the newest hashes, and pushes out no other owner’s', () => {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const partitionOf = (name: string) => partitionId(projectName('default'), { kind: 'user', name })
  const [ada, grace] = [partitionOf('ada'), partitionOf('grace')]
  const ids = Array.from({ length: 12 }, (_, place) => ({ session: 's', externalId: `m${place}`, id: `${place}`, role: 'user' }))
  for (const owner of [grace, ada]) {
    const { id } = execute(connection, ensurePartition(owner, 0))
    const kept = owner === ada ? 5 : 100
    for (const one of ids) execute(connection, rememberForgotten(id, [one], kept))
  }
  expect(new Set(execute(connection, forgottenAmong(ada, ids)))).toEqual(new Set(ids.slice(-5)))
  expect(new Set(execute(connection, forgottenAmong(grace, ids)))).toEqual(new Set(ids))
  connection.close()
})
