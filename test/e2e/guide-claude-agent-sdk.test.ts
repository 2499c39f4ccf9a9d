import { readFileSync } from 'node:fs'
import {
  deleteSession,
  foldSessionSummary,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  importSessionToStore,
  InMemorySessionStore,
  listSessions,
  listSubagents,
  renameSession,
  tagSession,
  type SessionStore,
} from '@anthropic-ai/claude-agent-sdk'
import { expect, expectTypeOf, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sessionStore, type TranscriptEntry } from '../../packages/varve/src/integrations/claude-agent-sdk/index.ts'
import { claudeHome, sampleSession } from '../fixtures/claude-agent-sdk/claude-home.ts'
import type { answer } from '../fixtures/guides/claude-agent-sdk/answer.ts'
import { titles } from '../fixtures/guides/claude-agent-sdk/titles.ts'
import { assistant, user, uuid } from '../fixtures/importers/transcript.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the blocks of the guide are code that is compiled or run here', () => {
  const blocks = [...read('../../docs/guides/claude-agent-sdk.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  const files = ['answer', 'titles'].map((name) =>
    read(`../fixtures/guides/claude-agent-sdk/${name}.ts`)
      .replace("'../../../../packages/varve/src/index.ts'", "'varve'")
      .replace("'../../../../packages/varve/src/integrations/claude-agent-sdk/index.ts'", "'varve/claude-agent-sdk'"),
  )
  expect(blocks).toEqual(files)
  // It starts Claude Code, which is not there: its types are checked.
  expectTypeOf<typeof answer>().returns.resolves.toBeString()
})

test('a session that is moved in is listed by its summary, and recalled', async () => {
  const { dir } = await claudeHome()
  const ada = shared.user()
  expect(await titles(ada, sampleSession, dir)).toEqual(['Perfect. Nando says the first bowl is on the house.'])
  const { hits } = await ada.recall('thermal printer', { kinds: ['message'] })
  expect(hits.length).toBeGreaterThan(0)
})

/** What the SDK's own functions answer of a store, without its times and new ids. */
async function answered(store: SessionStore, dir: string) {
  const of = { sessionStore: store, dir }
  await importSessionToStore(sampleSession, store, { dir, batchSize: 50 })
  await importSessionToStore(sampleSession, store, { dir, batchSize: 70, includeSubagents: false })
  const info = async (session: string) => ({ ...(await getSessionInfo(session, of)), lastModified: 0, sessionId: '', fileSize: 0 })
  const before = await info(sampleSession)
  await renameSession(sampleSession, 'Soup', of)
  await tagSession(sampleSession, 'kitchen', of)
  const { sessionId: fork } = await forkSession(sampleSession, { ...of, title: 'Another soup' })
  const texts = async (session: string) => (await getSessionMessages(session, of)).map(({ type, message }) => ({ type, message }))
  const listed = await listSessions(of)
  const answers = {
    ...{ before, info: await info(sampleSession), fork: await info(fork) },
    ...{ messages: await getSessionMessages(sampleSession, of), forked: await texts(fork) },
    ...{ subagents: await listSubagents(sampleSession, of), subagent: await getSubagentMessages(sampleSession, 'a1', of) },
    listed: listed.map((one) => ({ ...one, lastModified: 0, sessionId: one.sessionId === fork ? 'fork' : one.sessionId, fileSize: 0 })),
  }
  await deleteSession(sampleSession, of)
  const left = {
    messages: await getSessionMessages(sampleSession, of),
    listed: (await listSessions(of)).length,
    fork: (await texts(fork)).length,
  }
  return { answers, left }
}

test('the SDK’s own functions answer of Varve’s store as of the SDK’s own', async () => {
  const { dir } = await claudeHome()
  const ada = shared.user()
  class OnceStore extends InMemorySessionStore {
    override async append(key: Parameters<InMemorySessionStore['append']>[0], entries: Parameters<InMemorySessionStore['append']>[1]) {
      const ids = new Set(this.getEntries(key).map(({ uuid }) => uuid))
      await super.append(
        key,
        entries.filter(({ uuid }) => uuid === undefined || !ids.has(uuid)),
      )
    }
  }
  const own = await answered(new OnceStore(), dir)
  const got = await answered(sessionStore(ada, { foldSessionSummary }), dir)
  expect(got).toEqual(own)
  expect(got.answers.messages.length).toBeGreaterThan(5)
  expect(got.answers.subagent).toHaveLength(3)
  expect(got.left).toMatchObject({ messages: [], listed: 1 })
})

const erasures: Record<string, (ada: UserMemory, session: string, line: string) => Promise<unknown>> = {
  forgotten: (ada, session, line) => ada.forget({ session, messages: [line] }),
  replaced: async (ada, session, line) => {
    const found = (await ada.messages(session)).find(({ externalId }) => externalId === line)
    return ada.replace(found?.id ?? '', 'Other words.')
  },
}

for (const [erasure, erase] of Object.entries(erasures))
  test(`after lines were ${erasure}, the SDK reads all the others, and a fork of them has all`, async () => {
    const { dir } = await claudeHome()
    const ada = shared.user()
    const store = sessionStore(ada)
    const session = '66666666-6666-4666-8666-666666666666'
    const key = { projectKey: dir.replaceAll(/[^a-zA-Z0-9]/g, '-'), sessionId: session }
    const lines = Array.from({ length: 9 }, (_, at) => (at % 2 === 0 ? user : assistant)(at + 1, `Line ${at + 1}.`, { sessionId: session }))
    const entries = lines.map((line): TranscriptEntry => JSON.parse(JSON.stringify(line)))
    // The last two come after the gap before them.
    await store.append(key, entries.slice(0, 7))
    for (const place of [3, 4, 7]) await erase(ada, session, uuid(place))
    await sessionStore(ada).append(key, entries.slice(7))
    const of = { sessionStore: sessionStore(ada), dir }
    const left = [1, 2, 5, 6, 8, 9]
    expect((await getSessionMessages(session, of)).map((message) => message.uuid)).toEqual(left.map(uuid))
    const { sessionId: fork } = await forkSession(session, of)
    expect(await getSessionMessages(fork, of)).toHaveLength(left.length)
    const parents = (await store.load(key))?.map(({ parentUuid }) => parentUuid)
    expect(parents).toEqual([null, ...left.slice(0, -1).map(uuid)])
  })
