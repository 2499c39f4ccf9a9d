import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { MemoryOptions, UserMemory } from '../../packages/varve/src/index.ts'
import { importFile } from '../../packages/varve/src/importers/import-file.ts'
import { sessionStore, type TranscriptEntry } from '../../packages/varve/src/integrations/claude-agent-sdk/index.ts'
import { capture } from '../../packages/varve/src/integrations/claude-code/capture.ts'
import { typedHere } from '../fixtures/cli/in-process.ts'
import { assistant, call, result, user, uuid } from '../fixtures/importers/transcript.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { openMemory as openOverTheWire } from '../fixtures/wire/open-memory.ts'

const session = '11111111-1111-4111-8111-111111111111'
const key = { projectKey: '-home-ada', sessionId: session }
const now = Date.parse('2026-11-01')
const quiet = { embeddingModel: false, languageModel: false } as const satisfies MemoryOptions

interface Talk {
  readonly entries: readonly TranscriptEntry[]
  /** The transcript, and its first two lines alone. */
  readonly path: string
  readonly begin: string
  /** The words of messages 1, 3 and 4: a question, a tool's output, what a person said to a call of it, and an answer. */
  readonly words: readonly string[]
}

/** Makes a session whose lines, all but the second, hold words that nobody else has. */
function talk(): Talk {
  const [asked, output, said, answered] = [canary(), canary(), canary(), canary()]
  const of = { sessionId: session }
  const denied = `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${said}`
  const all = [
    user(1, `My pin is ${asked}.`, of),
    assistant(2, [call('t1', 'Read', { path: 'log' }), call('t2', 'Write', { path: 'log' })], of),
    user(3, [result('t1', output), result('t2', denied, { is_error: true })], { ...of, toolUseResult: { stdout: output } }),
    assistant(4, `It says ${answered}.`, of),
    user(5, 'Thanks.', of),
  ]
  const folder = mkdtempSync(join(tmpdir(), 'claude-'))
  const write = (name: string, lines: readonly object[]): string => {
    const path = join(folder, name)
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return path
  }
  return {
    entries: all.map((line): TranscriptEntry => JSON.parse(JSON.stringify(line))),
    ...{ path: write(`${session}.jsonl`, all), begin: write('begin.jsonl', all.slice(0, 2)), words: [asked, output, said, answered] },
  }
}

const mirrored = (ada: UserMemory, { entries }: Talk) => sessionStore(ada).append(key, [...entries])
const hooked = (ada: UserMemory, transcript: string) =>
  capture(ada, 'session', { hook_event_name: 'Stop', session_id: session, transcript_path: transcript }, now)

/** The messages with words to lose, by the line's id. */
const named = [uuid(1), uuid(3), `${uuid(3)}/said`, uuid(4)]

const erasures: Record<string, (ada: UserMemory) => Promise<unknown>> = {
  'forget of the messages': (ada) => ada.forget({ session, messages: named }),
  'forget of the session': (ada) => ada.forget({ session }),
  'forget of all': (ada) => ada.forget({ all: true }),
  replace: async (ada) => {
    const messages = await ada.messages(session)
    for (const { id, externalId = '' } of messages) if (named.includes(externalId)) await ada.replace(id, 'Nothing to see.')
  },
}

interface Place {
  readonly ada: UserMemory
  readonly file: string
}

const comings: Record<string, (place: Place, given: Talk) => Promise<unknown>> = {
  'by the mirror of another process': ({ ada }, given) => mirrored(ada, given),
  'by the mirror, a line at a time': async ({ ada }, { entries }) => {
    const store = sessionStore(ada)
    for (const entry of entries) await store.append(key, [entry])
  },
  'by a mirror over HTTP': async ({ file }, given) => {
    const memory = await openOverTheWire({ ...quiet, store: file, upkeep: 'manual' })
    onTestFinished(() => memory.close())
    await mirrored(memory.for('ada'), given)
  },
  'by an import': ({ ada }, { path }) => importFile(ada, path, { now: () => now, format: 'claude-code' }),
  'by a hook': ({ ada }, { path }) => hooked(ada, path),
  'by the command import, and the mirror after it': async ({ ada, file }, given) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), VARVE_EMBEDDINGS: 'off' }
    const typed = ['import', given.path, '--format', 'claude-code', '--store', file, '--user', 'ada']
    expect(await typedHere(typed, { env })).toMatchObject({ code: 0 })
    await mirrored(ada, given)
  },
}

/** Fails when a read tells one of the words, or when a file has a byte of them. */
async function expectAway(ada: UserMemory, file: string, words: readonly string[]): Promise<void> {
  // Before `load`, which erases what it finds orphaned.
  const traces = tracesOf(words, file)
  const told = {
    hits: (await Promise.all(words.map((query) => ada.recall(query)))).map(({ hits }) => hits),
    context: (await ada.context({ query: words.join(' '), maxTokens: 4_000 })).text,
    exported: await Array.fromAsync(ada.export()),
    load: await sessionStore(ada).load(key),
  }
  const seen = Object.entries(told).flatMap(([way, found]) => words.filter((word) => JSON.stringify(found).includes(word)).map(() => way))
  expect({ seen, traces }).toEqual({ seen: [], traces: [] })
}

for (const [erasure, erase] of Object.entries(erasures))
  for (const [coming, comes] of Object.entries(comings))
    // requirement: P3.1
    test(`after a ${erasure}, lines that come again ${coming} bring no word back`, async () => {
      const file = newStore()
      const memory = await openForTest({ ...quiet, store: file })
      const ada = memory.for('ada')
      const given = talk()
      // The first two messages are there before the store has their lines; the others come with theirs.
      await hooked(ada, given.begin)
      await mirrored(ada, given)
      expect(await sessionStore(ada).load(key)).toEqual(given.entries)
      await erase(ada)
      await expectAway(ada, file, given.words)
      await comes({ ada, file }, given)
      await expectAway(ada, file, given.words)
      await memory.close()
      expect(tracesOf(given.words, file)).toEqual([])
    })

for (const [erasure, erase] of Object.entries(erasures))
  test(`a line that comes for the first time, after a ${erasure}, to a store that has the session in mind`, async () => {
    const file = newStore()
    const ada = (await openForTest({ ...quiet, store: file })).for('ada')
    const given = talk()
    const store = sessionStore(ada)
    await hooked(ada, given.path)
    await store.append(key, given.entries.slice(4))
    await erase(ada)
    await store.append(key, [...given.entries])
    await expectAway(ada, file, given.words)
  })

test('a line that comes again stays away from other sessions and users alone', async () => {
  const memory = await openForTest(quiet)
  const [ada, bob] = [memory.for('ada'), memory.for('bob')]
  const given = talk()
  const other = { ...key, sessionId: '22222222-2222-4222-8222-222222222222' }
  const elsewhere = given.entries.map((entry) => ({ ...entry, sessionId: other.sessionId }))
  for (const handle of [ada, bob]) await hooked(handle, given.path)
  await ada.forget({ session, messages: named })
  for (const handle of [ada, bob]) await sessionStore(handle).append(key, [...given.entries])
  await sessionStore(ada).append(other, elsewhere)
  const persons = { role: 'user', content: 'A word.', id: `goes-with:36:${uuid(1)}::person` } as const
  expect((await ada.append(session, persons)).messages).toHaveLength(1)
  expect(await sessionStore(bob).load(key)).toEqual(given.entries)
  expect(await sessionStore(ada).load(other)).toEqual(elsewhere)
})

test('an export from before an erasure brings no line back, and one from after it keeps the line away elsewhere', async () => {
  const taken = async (ada: UserMemory, lines: readonly string[]): Promise<void> =>
    expect(await ada.import(lines, { accept: true })).toMatchObject({ state: 'applied' })
  for (const way of ['replace', 'forget of the messages']) {
    const [here, there, away] = await Promise.all([1, 2, 3].map(async () => (await openForTest(quiet)).for('ada')))
    if (here === undefined || there === undefined || away === undefined) throw new TypeError('there are three stores')
    const given = talk()
    const leftIn = (text: unknown) => given.words.filter((word) => JSON.stringify(text).includes(word))
    for (const ada of [here, there]) await hooked(ada, given.path)
    await mirrored(there, given)
    const before = await Array.fromAsync(there.export())
    await erasures[way]?.(here)
    await taken(here, before)
    const after = await Array.fromAsync(here.export())
    expect(leftIn(after)).toEqual([])
    await taken(away, after)
    await mirrored(away, given)
    expect(leftIn(await sessionStore(away).load(key))).toEqual([])
    expect(leftIn(await Array.fromAsync(away.export()))).toEqual([])
  }
})

test('restoreForgotten brings the lines back with the messages', async () => {
  const ada = (await openForTest(quiet)).for('ada')
  const given = talk()
  await mirrored(ada, given)
  await ada.forget({ session, messages: named })
  await sessionStore(ada, { restoreForgotten: true }).append(key, [...given.entries])
  const loaded = (await sessionStore(ada).load(key)) ?? []
  expect(loaded).toHaveLength(given.entries.length)
  for (const entry of given.entries) expect(loaded).toContainEqual(entry)
})
