import { expect, test } from 'vitest'
import { sampleEntries, sampleSession, subagentEntries } from '../../../../../test/fixtures/claude-agent-sdk/claude-home.ts'
import { assistant, call, chained, result, sampleTranscript, user, uuid } from '../../../../../test/fixtures/importers/transcript.ts'
import { sharedMemory } from '../../../../../test/fixtures/memory/shared.ts'
import { importFile } from '../../importers/import-file.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { maxOutputCharacters } from '../claude-code/bounded-tools.ts'
import { maxCarriedBytes } from './carried-entries.ts'
import { capture } from '../claude-code/capture.ts'
import { readHookInput } from '../claude-code/hook-input.ts'
import { sessionStore } from './session-store.ts'
import type { TranscriptEntry, TranscriptKey } from './transcript-key.ts'
import type { ErasureReceipt } from './transcript-memory.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })
const key: TranscriptKey = { projectKey: '-home-ilka-hatchbell', sessionId: sampleSession }

/** Entries as the SDK gives them. */
const entriesOf = (...lines: readonly object[]): TranscriptEntry[] => lines.map((line) => JSON.parse(JSON.stringify(line)))
const own = (place: number, content: unknown, more: object = {}) => user(place, content, { sessionId: sampleSession, ...more })
const reply = (place: number, content: unknown, more: object = {}) => assistant(place, content, { sessionId: sampleSession, ...more })

/** The messages of a session that say something: their ids, words and threads. */
async function talkOf(ada: UserMemory, session = sampleSession) {
  const messages = await ada.messages(session, { limit: 10_000 })
  const said = messages.filter(({ content }) => content !== 'Lines of a transcript of Claude Code.')
  return said.map(({ externalId, role, content, thread }) => ({ externalId, role, content, thread }))
}

const byId = (one: { readonly externalId?: string | undefined }, other: { readonly externalId?: string | undefined }): number =>
  (one.externalId ?? '') < (other.externalId ?? '') ? -1 : 1

const moved = (ada: UserMemory) => importFile(ada, sampleTranscript, { now: () => Date.parse('2026-11-01'), format: 'claude-code' })

/** What the hook `Stop` does with the sample transcript. */
async function hooked(ada: UserMemory): Promise<void> {
  const input = readHookInput(JSON.stringify({ hook_event_name: 'Stop', session_id: sampleSession, transcript_path: sampleTranscript }))
  if (input === undefined) throw new TypeError('it is the input of a hook')
  await capture(ada, 'session', input, Date.parse('2026-11-01'))
}

test.each([
  ['import', moved],
  ['hook', hooked],
])('%s and store, in both orders: each message once, and the transcript exactly', async (_name, other) => {
  const [ada, bob, alone] = [shared.user(), shared.user(), shared.user()]
  const entries = await sampleEntries()
  const store = async (user: UserMemory, some = entries): Promise<void> => {
    for (let at = 0; at < some.length; at += 40) await sessionStore(user).append(key, some.slice(at, at + 40))
  }
  await other(alone)
  await other(bob)
  await store(bob)
  await store(ada)
  await other(ada)
  const ids = async (user: UserMemory) => (await talkOf(user)).map(({ externalId }) => externalId).sort()
  for (const user of [ada, bob]) {
    expect(await ids(user)).toEqual(await ids(alone))
    expect(await sessionStore(user).load(key)).toEqual(entries)
    const before = (await user.messages(sampleSession, { limit: 10_000 })).length
    await store(
      user,
      entries.filter(({ uuid: id }) => id !== undefined),
    )
    expect((await user.messages(sampleSession, { limit: 10_000 })).length).toBe(before)
  }
})

test('what is said is the same talk as a hook reads, a subagent’s in its thread', async () => {
  const [ada, bob] = [shared.user(), shared.user()]
  const store = sessionStore(ada)
  await store.append(key, await sampleEntries())
  await hooked(bob)
  expect((await talkOf(ada)).sort(byId)).toEqual((await talkOf(bob)).sort(byId))
  await store.append({ ...key, subpath: 'subagents/agent-a1' }, entriesOf(...subagentEntries))
  expect((await talkOf(ada)).filter(({ thread }) => thread === 'agent-a1').map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(await store.listSubkeys(key)).toEqual(['subagents/agent-a1'])
  expect(await store.load({ ...key, subpath: 'subagents/agent-a1' })).toEqual(subagentEntries)
})

test('a tool’s output is bounded where it is searched, and whole in the transcript', async () => {
  const ada = shared.user()
  const output = `${'words '.repeat(5_000)}needle-at-the-end`
  const entries = entriesOf(
    own(1, 'Read the log.'),
    reply(2, [call('t1', 'Write', { text: output })]),
    own(3, [result('t1', output)]),
    reply(4, 'It ends with a needle.'),
  )
  const store = sessionStore(ada)
  await store.append(key, entries)
  expect(await store.load(key)).toEqual(entries)
  const talk = await ada.messages(sampleSession)
  expect(talk.map(({ content }) => content.length < maxOutputCharacters + 200)).toEqual([true, true, true, true])
  expect((await ada.messages(sampleSession, { tools: false })).map(({ content }) => content)).toEqual([
    'Read the log.',
    'It ends with a needle.',
  ])
  expect(talk[2]?.content).toContain('characters left out …]')
})

test('an entry with strings that no text may hold, and one larger than a message, come back', async () => {
  const ada = shared.user()
  const image = '/9j/'.repeat(900_000)
  const entries = entriesOf(
    own(1, 'a\0b \ud83d', { extra: { '': [null, 1e300, -0], constructor: 1 } }),
    own(2, [{ type: 'image', source: { type: 'base64', data: image } }]),
    { type: 'file-history-snapshot', data: '"\\\n'.repeat(100_000) },
    reply(3, 'Seen.'),
  )
  expect(JSON.stringify(entries[1]).length).toBeGreaterThan(maxCarriedBytes)
  await sessionStore(ada).append(key, entries)
  await sessionStore(ada).append(key, entries.slice(0, 2))
  expect(await sessionStore(ada).load(key)).toEqual(entries)
})

test('a forgotten message takes its entry with it, and a replay does not bring it back', async () => {
  const ada = shared.user()
  const store = sessionStore(ada)
  const entries = entriesOf(
    own(1, 'My pin is quartzite.'),
    { type: 'last-prompt', lastPrompt: 'My pin is quartzite.' },
    reply(2, 'Noted.'),
    own(3, 'Thanks.'),
  )
  for (const batch of [entries.slice(0, 2), entries.slice(2)]) await store.append(key, batch)
  await ada.forget({ session: sampleSession, messages: [uuid(1)] })
  expect((await Array.fromAsync(ada.export())).join('')).not.toContain('quartzite')
  for (const one of [store, sessionStore(ada)]) await one.append(key, entries.slice(0, 1))
  expect(await store.load(key)).toEqual(entries.slice(2))
  expect((await Array.fromAsync(ada.export())).join('')).not.toContain('quartzite')
  await sessionStore(ada, { restoreForgotten: true }).append(key, entries.slice(0, 1))
  expect(await store.load(key)).toEqual([...entries.slice(2), ...entries.slice(0, 1)])
})

test.each([
  ['forgotten', (ada: UserMemory) => ada.forget({ session: sampleSession, messages: [uuid(2)] })],
  ['replaced', async (ada: UserMemory) => ada.replace((await ada.messages(sampleSession))[1]?.id ?? '', 'A file was read.')],
])(
  'the result of a call that was %s is not loaded, and the talk behind it is: no model takes a result without its call',
  async (_how, erase) => {
    const ada = shared.user()
    const store = sessionStore(ada)
    const entries = entriesOf(
      own(1, 'Read the list.'),
      reply(2, [call('c1', 'Read', { path: 'list.txt' })]),
      own(3, [result('c1', 'Soup'), { type: 'text', text: 'Go on.' }]),
      own(7, [result('c1', 'Soup again')], { parentUuid: uuid(3), sourceToolAssistantUUID: uuid(2) }),
      reply(4, [call('c2', 'Read', { path: 'more.txt' })], { parentUuid: uuid(7) }),
      own(5, [result('c2', 'Bread')]),
      reply(6, 'Soup and bread.'),
    )
    await store.append(key, entries)
    expect(await store.load(key)).toEqual(entries)
    await erase(ada)
    const message = { role: 'user', content: [{ type: 'text', text: 'Go on.' }] }
    const [asked, , results, , next, ...others] = entries
    const left = [asked, { ...results, message, parentUuid: uuid(1) }, { ...next, parentUuid: uuid(3) }, ...others]
    expect(await store.load(key)).toEqual(left)
    expect(await sessionStore(ada).load(key)).toEqual(left)
  },
)

test.each([1, 2, 9])('lines that repeat a prompt go with it, in batches of %i lines', async (size) => {
  const ada = shared.user()
  const long = `My pin is quartzite. ${'And more. '.repeat(40)}`
  const entries = entriesOf(
    { type: 'mode', mode: 'plan' },
    own(1, 'Hello.'),
    reply(2, 'Noted.'),
    own(3, long),
    reply(4, 'Noted, too.'),
    { type: 'last-prompt', lastPrompt: `${long.slice(0, 200)}…` },
    { type: 'queue-operation', operation: 'enqueue', content: 'Thanks.' },
    own(5, 'Thanks.'),
    { type: 'last-prompt', lastPrompt: 'Thanks.' },
  )
  const store = sessionStore(ada)
  for (let at = 0; at < entries.length; at += size) await store.append(key, entries.slice(at, at + size))
  expect(await store.load(key)).toEqual(entries)
  await ada.forget({ session: sampleSession, messages: [uuid(3)] })
  const left = [...entries.slice(0, 3), { ...entries[4], parentUuid: uuid(2) }, ...entries.slice(6)]
  expect((await Array.fromAsync(ada.export())).join('')).not.toContain('quartzite')
  expect(await store.load(key)).toEqual(left)
  await sessionStore(ada).append(key, entries.slice(3, 6))
  expect(await store.load(key)).toEqual(left)
})

test('talk that a hook or an import stored first: who forgets it forgets its line', async () => {
  const ada = shared.user()
  await ada.append(sampleSession, { role: 'user', content: 'My pin is quartzite.', id: uuid(1) })
  const entries = entriesOf(own(1, 'My pin is quartzite.'), reply(2, 'Noted.'))
  const store = sessionStore(ada)
  await store.append(key, entries)
  expect(await store.load(key)).toEqual(entries)
  await ada.forget({ session: sampleSession, messages: [uuid(1)] })
  expect((await Array.fromAsync(ada.export())).join('')).not.toContain('quartzite')
  expect(await store.load(key)).toEqual(entries.slice(1))
  await sessionStore(ada).append(key, entries)
  expect(await store.load(key)).toEqual(entries.slice(1))
})

test('a replaced message takes its line with it', async () => {
  const ada = shared.user()
  const store = sessionStore(ada)
  await store.append(key, entriesOf(own(1, 'My pin is quartzite.'), reply(2, 'Noted.')))
  const [first] = await ada.messages(sampleSession)
  await ada.replace(first?.id ?? '', 'My pin is gone.')
  expect((await Array.fromAsync(ada.export())).join('')).not.toContain('quartzite')
  expect(await store.load(key)).toEqual(entriesOf(reply(2, 'Noted.')))
})

test('delete erases the session with its talk, and gives a receipt', async () => {
  const ada = shared.user()
  const receipts: ErasureReceipt[] = []
  const store = sessionStore(ada, { erased: (receipt) => void receipts.push(receipt) })
  await store.append(key, entriesOf(own(1, 'The key lies under the quartzite.'), { type: 'tag', tag: 'secret' }))
  await store.append({ ...key, subpath: 'subagents/agent-a1' }, entriesOf(...subagentEntries))
  await store.delete(key)
  expect(receipts).toMatchObject([{ logical: 'done', counts: { session: 1 } }])
  expect(await store.load(key)).toBeNull()
  expect(await store.listSessions(key.projectKey)).toEqual([])
  const left = (await Array.fromAsync(ada.export())).join('')
  for (const word of ['quartzite', 'secret', 'soup board']) expect(left).not.toContain(word)
  await store.delete(key)
  expect(receipts).toHaveLength(1)
})

test('a user’s transcripts are nobody else’s, and a project’s no other project’s', async () => {
  const [ada, bob] = ['ada', 'bob'].map((name) => shared.memory.for({ project: 'transcripts', user: name }))
  if (ada === undefined || bob === undefined) throw new TypeError('there are two users')
  const other = { ...key, projectKey: `${key.projectKey}2` }
  await sessionStore(ada).append(key, entriesOf(own(1, 'of Ada')))
  await sessionStore(ada).append(other, entriesOf(own(1, 'of Ada, elsewhere')))
  expect(await sessionStore(bob).load(key)).toBeNull()
  expect(await sessionStore(bob).listSessions(key.projectKey)).toEqual([])
  await sessionStore(bob).append(key, entriesOf(own(1, 'of Bob')))
  await sessionStore(bob).delete(key)
  expect(await sessionStore(ada).load(key)).toEqual(entriesOf(own(1, 'of Ada')))
  expect(await sessionStore(ada).load(other)).toEqual(entriesOf(own(1, 'of Ada, elsewhere')))
  await sessionStore(ada).delete(other)
  expect(await sessionStore(ada).load(key)).toEqual(entriesOf(own(1, 'of Ada')))
  expect((await Array.fromAsync(ada.export())).join('')).not.toContain('elsewhere')
})

test('talk that a hook stores between two batches costs no entry', async () => {
  const ada = shared.user()
  const store = sessionStore(ada)
  const entries = entriesOf(own(1, 'First.'), reply(2, 'Second.'), { type: 'mode', mode: 'plan' }, reply(3, 'Third.'))
  await store.append(key, entries.slice(0, 1))
  await ada.append(sampleSession, { role: 'assistant', content: 'Second.', id: uuid(2) })
  await store.append(key, entries.slice(1))
  const found = (await store.load(key)) ?? []
  expect(found).toHaveLength(entries.length)
  for (const entry of entries) expect(found).toContainEqual(entry)
  expect((await talkOf(ada)).map(({ content }) => content)).toEqual(['First.', 'Second.', 'Third.'])
})

test('two processes that mirror one session, and a failed try, lose and double nothing', async () => {
  const ada = shared.user()
  let fails = 1
  const failing = {
    ...{ sessions: ada.sessions, messages: ada.messages.bind(ada), forget: ada.forget.bind(ada), changes: ada.changes.bind(ada) },
    append: async (...given: Parameters<UserMemory['append']>) => {
      const stored = await ada.append(...given)
      // Stored, and the answer is lost.
      if ((fails -= 1) >= 0) throw new TypeError('the connection broke')
      return stored
    },
  }
  const [one, two] = [sessionStore(failing), sessionStore(ada)]
  const entries = entriesOf(...Array.from({ length: 30 }, (_, at) => own(at + 1, `Line ${at}.`)))
  await expect(one.append(key, entries.slice(0, 10))).rejects.toThrow('the connection broke')
  await Promise.all([one.append(key, entries.slice(0, 10)), two.append(key, entries.slice(5, 20)), one.append(key, entries.slice(20))])
  const found = (await two.load(key)) ?? []
  expect(found.map((entry) => entry.uuid).sort()).toEqual(entries.map((entry) => entry.uuid))
  expect(await talkOf(ada)).toHaveLength(30)
})

test('what the program puts into a prompt is no talk, and comes back in the transcript', async () => {
  const ada = shared.user()
  await ada.append('before', { role: 'user', content: 'The kiosk opens on the 16th.' })
  const { text } = await ada.context({ query: 'When does the kiosk open?', maxTokens: 500 })
  const store = sessionStore(ada)
  const entries = entriesOf(
    chained(1, { type: 'attachment', sessionId: sampleSession, attachment: { type: 'hook_additional_context', content: [text] } }),
    own(2, `<system-reminder>\n${text}\n</system-reminder>\nWhen does it open?`),
    own(3, text, { isMeta: true }),
  )
  await store.append(key, entries)
  expect(await store.load(key)).toEqual(entries)
  expect((await talkOf(ada)).map(({ content }) => content)).toEqual(['When does it open?'])
})

test('a session is named by its title, unless somebody named it', async () => {
  const ada = shared.user()
  const store = sessionStore(ada)
  await store.append(key, entriesOf(own(1, 'Hello.'), { type: 'ai-title', aiTitle: 'Greetings', sessionId: sampleSession }))
  expect(await ada.sessions.get(sampleSession)).toMatchObject({ name: 'Greetings', metadata: { claudeProjects: [key.projectKey] } })
  await store.append(key, entriesOf({ type: 'custom-title', customTitle: 'Hellos', sessionId: sampleSession }))
  expect((await ada.sessions.get(sampleSession)).name).toBe('Hellos')
  await ada.sessions.ensure(sampleSession, { name: 'Mine', metadata: { claudeProjects: [key.projectKey], colour: 'blue' } })
  await store.append(key, entriesOf({ type: 'ai-title', aiTitle: 'Others', sessionId: sampleSession }))
  await store.append({ ...key, projectKey: 'p2' }, entriesOf(own(1, 'Hello.')))
  expect(await ada.sessions.get(sampleSession)).toMatchObject({
    name: 'Mine',
    metadata: { claudeProjects: [key.projectKey, 'p2'], colour: 'blue' },
  })
})

test('summaries are made anew only of sessions that any process changed', async () => {
  const ada = shared.user()
  const folded: string[] = []
  const foldSessionSummary = (_: unknown, { sessionId }: TranscriptKey, entries: TranscriptEntry[], { mtime = 0 } = {}) => {
    folded.push(sessionId)
    return { sessionId, mtime, data: { entries: entries.length } }
  }
  const store = sessionStore(ada, { foldSessionSummary })
  for (const sessionId of ['a', 'b']) await store.append({ ...key, sessionId }, entriesOf(user(1, 'My pin is quartzite.', { sessionId })))
  const data = async () => new Map((await store.listSessionSummaries?.(key.projectKey))?.map((one) => [one.sessionId, one.data['entries']]))
  expect(await data()).toEqual(new Map(Object.entries({ a: 1, b: 1 })))
  await sessionStore(ada).append({ ...key, sessionId: 'b' }, entriesOf(user(2, 'More.', { sessionId: 'b' })))
  expect(await data()).toEqual(new Map(Object.entries({ a: 1, b: 2 })))
  expect(folded.toSorted()).toEqual(['a', 'b', 'b'])
  await ada.forget({ session: 'b', messages: [uuid(1)] })
  expect(await data()).toEqual(new Map(Object.entries({ a: 1, b: 1 })))
})
