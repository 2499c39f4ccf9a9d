import { expect, test } from 'vitest'
import type { Receipt, UserMemory } from '../../packages/varve/src/index.ts'
import { capture } from '../../packages/varve/src/integrations/claude-code/capture.ts'
import { sessionStore, type TranscriptEntry } from '../../packages/varve/src/integrations/claude-agent-sdk/index.ts'
import { call, assistant, result, user, uuid } from '../fixtures/importers/transcript.ts'
import { canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { importFile } from '../../packages/varve/src/importers/import-file.ts'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const session = '11111111-1111-4111-8111-111111111111'
const key = { projectKey: '-home-ada', sessionId: session }
const now = Date.parse('2026-11-01')

interface Lines {
  readonly entries: TranscriptEntry[]
  readonly words: readonly string[]
  readonly path: string
}

/** Makes a transcript with a tool's output that is longer than what is searched, and a person's words in the same line. */
function lines(): Lines {
  const [words, mine] = [canaryText(12_000), canaryText(200)]
  const of = { sessionId: session }
  const denied = `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${mine}`
  const all = [
    user(1, 'Read the log.', of),
    assistant(2, [call('t1', 'Read', { path: 'log' }), call('t2', 'Write', { path: 'log' })], of),
    { type: 'last-prompt', lastPrompt: mine, sessionId: session },
    user(3, [result('t1', words), result('t2', denied, { is_error: true })], { ...of, toolUseResult: { stdout: words } }),
    assistant(4, 'It is read.', of),
  ]
  const path = join(mkdtempSync(join(tmpdir(), 'claude-')), `${session}.jsonl`)
  writeFileSync(path, all.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return { entries: all.map((line): TranscriptEntry => JSON.parse(JSON.stringify(line))), words: [words, mine], path }
}

const store = (ada: UserMemory, { entries }: Lines) => sessionStore(ada).append(key, entries)
const moved = (ada: UserMemory, { path }: Lines) => importFile(ada, path, { now: () => now, format: 'claude-code' })
const hooked = (ada: UserMemory, { path }: Lines) =>
  capture(ada, 'session', { hook_event_name: 'Stop', session_id: session, transcript_path: path }, now)

const orders: Record<string, readonly ((ada: UserMemory, given: Lines) => Promise<unknown>)[]> = {
  'import first': [moved, store],
  'hook first': [hooked, store],
  'store first': [store, moved],
}

const both = [uuid(3), `${uuid(3)}/said`]

const ways: Record<string, (ada: UserMemory) => Promise<readonly Receipt[]>> = {
  'of both messages of the line': async (ada) => [await ada.forget({ session, messages: both })],
  'of the session': async (ada) => [await ada.forget({ session })],
  'before a time': async (ada) => [await ada.forget({ session, before: now })],
  'by replace': async (ada) => {
    const messages = (await ada.messages(session)).filter(({ externalId = '' }) => both.includes(externalId))
    const receipts: Receipt[] = []
    for (const { id } of messages) receipts.push((await ada.replace(id, 'Nothing to see.')).receipt)
    return receipts
  },
}

for (const [order, steps] of Object.entries(orders))
  for (const [way, erase] of Object.entries(ways))
    // requirement: P3.1
    test(`${order}: after a forget ${way}, no byte of the store has the line's words, though nobody opened the session`, async () => {
      const file = newStore()
      const memory = await openForTest({ store: file })
      const ada = memory.for('ada')
      const given = lines()
      for (const step of steps) await step(ada, given)
      expect(await sessionStore(ada).load(key)).toEqual(given.entries)
      expect(tracesOf(given.words, file)).not.toEqual([])
      for (const receipt of await erase(ada)) expect(receipt).toMatchObject({ logical: 'done', physical: 'done' })
      expect(tracesOf(given.words, file)).toEqual([])
      await memory.close()
      expect(tracesOf(given.words, file)).toEqual([])
    })

test.each(both)('a line with the words of several messages goes when one of them is forgotten: %s', async (id) => {
  const ada = (await openForTest({})).for('ada')
  const given = lines()
  await store(ada, given)
  const { counts } = await ada.forget({ session, messages: [id] })
  expect(counts).toMatchObject({ message: 2 })
  expect((await Array.fromAsync(ada.export())).join('')).not.toContain('toolUseResult')
})

test.each(['load', 'append'] as const)(
  'the row of an earlier version, which its id ties to no message, goes with the next %s',
  async (way) => {
    const file = newStore()
    const memory = await openForTest({ store: file })
    const ada = memory.for('ada')
    const given = lines()
    await moved(ada, given)
    const data = { project: key.projectKey, entries: [JSON.stringify(given.entries[3])], of: both }
    const row = { role: 'system', content: 'Lines of a transcript of Claude Code.', id: 'transcript-0123456789abcdef01234567' } as const
    await ada.append(session, { ...row, parts: [{ type: 'data-claude-transcript', data }] })
    expect(await sessionStore(ada).load(key)).toEqual(given.entries.slice(3, 4))
    await ada.forget({ session, messages: both })
    expect(tracesOf(given.words, file)).not.toEqual([])
    if (way === 'load') expect(await sessionStore(ada).load(key)).toBeNull()
    else await sessionStore(ada).append(key, given.entries.slice(4))
    expect(tracesOf(given.words, file)).toEqual([])
  },
)

test('a message that goes with another is erased within its session and user alone', async () => {
  const memory = await openForTest({})
  const [ada, bob] = [memory.for('ada'), memory.for('bob')]
  const row = { role: 'system', content: 'A line.', id: 'goes-with:2:m1::own' } as const
  for (const [handle, name] of [
    [ada, 'a'],
    [ada, 'b'],
    [bob, 'a'],
  ] as const)
    await handle.append(name, [{ role: 'user', content: 'A word.', id: 'm1' }, row, { ...row, role: 'user', id: 'goes-with:2:m1::person' }])
  await ada.append('a', { role: 'user', content: 'Another.', id: 'm12' })
  const { counts } = await ada.forget({ session: 'a', messages: ['m1'] })
  expect(counts).toMatchObject({ message: 2 })
  const ids = async (handle: UserMemory, name: string) => (await handle.messages(name)).map(({ externalId }) => externalId)
  expect(await ids(ada, 'a')).toEqual(['goes-with:2:m1::person', 'm12'])
  for (const [handle, name] of [
    [ada, 'b'],
    [bob, 'a'],
  ] as const)
    expect(await ids(handle, name)).toHaveLength(3)
})
