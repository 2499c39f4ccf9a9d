import { describe, expect, test } from 'vitest'
import type { Memory, MemoryOptions, MessageInput, UserMemory } from '../../packages/varve/src/index.ts'
import type { ManualClock, ModelScript } from '../../packages/varve/src/testing/index.ts'
import { distilling, modelName } from '../fixtures/distil/open.ts'
import { day, settled, talk } from '../fixtures/distil/talk.ts'
import { copied, isFusion, keysOf } from '../fixtures/distil/writer.ts'
import { about, documentModel, messagesOf as documented } from '../fixtures/documents/model.ts'
import { messagesOf, readerOf } from '../fixtures/facts/told.ts'
import { hosted, hostName, readAll } from '../fixtures/readings/host.ts'
import { holds, user } from '../fixtures/scenarios/telling.ts'

/** The window of a host's own model: a configured one that has it cuts sessions into the same parts. */
const window = 16_384

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** All that a memory exports, with its lineage: with numbers in the place of ids, and without its seals and the writer's name. */
async function stateOf(ada: UserMemory, memory: Memory): Promise<unknown[]> {
  const ids = new Map<string, string>()
  const lines: unknown[] = []
  for await (const line of ada.export()) {
    if (line.includes('"is":"seal"') || line.includes('"kind":"project"')) continue
    const plain = line
      .replaceAll(uuid, (id) => ids.get(id) ?? (ids.set(id, `#${ids.size}`), `#${ids.size - 1}`))
      .replaceAll(modelName, 'model')
      .replaceAll(hostName, 'model')
    lines.push(JSON.parse(plain))
  }
  const shared = await memory.project('default').bank.entries()
  return [...lines, ...shared.map(({ period, bullets, lineage, provisional }) => ({ period, bullets, lineage, provisional }))]
}

interface Case {
  readonly name: string
  readonly layers: NonNullable<MemoryOptions['layers']>
  readonly sessions: Readonly<Record<string, readonly MessageInput[]>>
  /** Made anew for each memory: it may count what it was asked. */
  readonly script: () => ModelScript
  readonly requests: number
  /** True where the project shares its bank. */
  readonly isShared?: true
}

const known = [
  user('I live in Porto.', holds('', 'lives in', 'Porto')),
  user('My sister Nuria likes figs.', holds('Nuria', 'likes', 'figs')),
]
const ferry = [
  about('Ferry', 'The ferry leaves at nine.'),
  about('Pier', 'The pier was painted green.'),
  about('Ferry', 'The ferry is full.'),
]

/** Answers the first request with a bad part, and every other one well. */
function badAtFirst(key: string, part: unknown, script: ModelScript): ModelScript {
  let asked = 0
  return async (request) => {
    asked += 1
    const answer = await script(request)
    return asked === 1 ? { object: { ...Object(answer.object), [key]: part } } : answer
  }
}

/** Answers every request for a part with one that cannot be used. */
function badAlways(key: string, script: ModelScript): ModelScript {
  return async (request) => {
    const answer = await script(request)
    return keysOf(request).includes(key) ? { object: { ...Object(answer.object), [key]: 'nothing' } } : answer
  }
}

const cases: readonly Case[] = [
  {
    name: 'a gist and facts',
    layers: { gists: true, facts: true },
    sessions: { talk: messagesOf(known) },
    script: () => readerOf(known),
    requests: 1,
  },
  {
    name: 'a session of three parts, whose gists are fused, with a bank',
    layers: { gists: true, facts: false, bank: true },
    sessions: { talk: talk('tern', 100) },
    script: () => copied,
    requests: 5,
  },
  {
    name: 'several sessions',
    layers: { gists: true, facts: true, bank: true },
    sessions: { one: talk('tern', 12), two: messagesOf(known), three: talk('gull', 45) },
    script: () => readerOf(known),
    requests: 6,
  },
  {
    name: 'what a project shares, asked for by itself',
    layers: { gists: true, facts: true, bank: true },
    sessions: { one: messagesOf(known), two: talk('gull', 45) },
    script: () => readerOf(known),
    requests: 9,
    isShared: true,
  },
  {
    name: 'documents and their editor',
    layers: { gists: true, facts: false, documents: true },
    sessions: { talk: documented(ferry) },
    script: () => documentModel(ferry),
    requests: 3,
  },
  {
    name: 'facts that cannot be used at first',
    layers: { gists: true, facts: true },
    sessions: { talk: messagesOf(known) },
    script: () => badAtFirst('facts', 'none', readerOf(known)),
    requests: 2,
  },
  {
    name: 'a gist that is never usable',
    layers: { gists: true, facts: true },
    sessions: { talk: messagesOf(known) },
    script: () => badAlways('gist', readerOf(known)),
    requests: 2,
  },
  {
    name: 'a fused gist that cannot be used',
    layers: { gists: true, facts: false },
    sessions: { talk: talk('tern', 60) },
    script: () => (request) => (isFusion(request) ? { object: {} } : copied(request)),
    requests: 3,
  },
]

/** Appends what is said in a case, and waits until it is settled. */
async function say(memory: Memory, { sessions, isShared }: Case, clock: ManualClock): Promise<void> {
  if (isShared === true) await memory.project('default').bank.setSharing(true, { acknowledge: true })
  clock.advance(1_000)
  const ada = memory.for('ada')
  for (const [session, messages] of Object.entries(sessions)) await ada.append(session, messages)
  clock.advance(settled)
}

/** The store of a case after a configured model read it; where it was not to be asked at first. */
async function configured(one: Case, isLate: boolean) {
  const { memory, clock, server, play } = await distilling({ embeddingModel: false, modelWindow: window, layers: one.layers })
  await memory.project('default').settings.set({ readings: {} })
  const ada = memory.for('ada')
  await say(memory, one, clock)
  if (isLate) {
    await memory.project('default').settings.set({ ceiling: { calls: 0 } })
    await memory.upkeep.run()
    await memory.project('default').settings.set({ ceiling: {} })
    clock.advance(day)
  }
  const before = server.count
  play(one.script())
  await memory.upkeep.run()
  return { state: await stateOf(ada, memory), requests: server.count - before }
}

/** The store of a case after its host read it; where upkeep ran before, without a model. */
async function byHost(one: Case, isWrittenBefore: boolean) {
  const { ada, memory, clock } = await hosted({ layers: one.layers })
  await say(memory, one, clock)
  if (isWrittenBefore) {
    await memory.upkeep.run()
    clock.advance(day)
  }
  const { read } = await readAll(ada, one.script())
  return { state: await stateOf(ada, memory), requests: read.length }
}

describe('the store after readings equals the store after a configured model that answers the same', () => {
  for (const one of cases) {
    test(`${one.name}, read at once`, async () => {
      const by = await configured(one, false)
      expect(by.requests).toBe(one.requests)
      expect(await byHost(one, false)).toEqual(by)
    })
    test(`${one.name}, written without a model before`, async () => {
      expect(await byHost(one, true)).toEqual(await configured(one, true))
    })
  }
})
