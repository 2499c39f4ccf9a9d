import { expect, test } from 'vitest'
import type { Memory, MessageInput } from '../../packages/varve/src/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import type { ManualClock, ModelScript } from '../../packages/varve/src/testing/index.ts'
import { day, hour, settled } from '../fixtures/distil/talk.ts'
import { copied, isDigest, isForSharing, itemsOf, keysOf } from '../fixtures/distil/writer.ts'
import { hosted, readAll } from '../fixtures/readings/host.ts'
import { workingSecrets } from '../fixtures/secrets/secret-samples.ts'

/** Messages of a session, so that a span holds several samples. */
const perSession = 40

const layers = { gists: true, facts: true, instructions: true, documents: true, bank: true } as const

/** The most samples of a kind. */
const ofKind = 4

const samples = [...Map.groupBy(workingSecrets, ({ kind }) => kind).values()].flatMap((some) => some.slice(0, ofKind))

/** Samples of secrets of every kind, as sessions. Every seventh is a tool's, and every eleventh a speaker's name. */
const sessions = Array.from({ length: Math.ceil(samples.length / perSession) }, (_, session) =>
  samples.slice(session * perSession, (session + 1) * perSession).map(({ text }, place): MessageInput => {
    if (place % 7 === 6) return { role: 'tool', content: text }
    const name = place % 11 === 10 && text.length < 200 && !text.includes('\n') ? { name: text } : {}
    return { role: place % 5 === 4 ? 'assistant' : 'user', content: text, ...name }
  }),
)

/** The mark of a prompt’s fence is made at random or from its content. */
const unmarked = (text: string): string => text.replace(/[0-9a-f]{16}/g, 'mark')

test.each([false, true])('a host’s model is handed what a configured model is sent, byte for byte; shared: %s', async (isShared) => {
  const one = await distilling({ embeddingModel: false, modelWindow: 16_384, layers })
  const other = await hosted({ layers }, { perSession: 1_000, perDay: 10_000 })
  await one.memory.project('default').settings.set({ readings: {} })
  for (const { memory, clock } of [one, other]) {
    if (isShared) await memory.project('default').bank.setSharing(true, { acknowledge: true })
    clock.advance(1_000)
    for (const [place, messages] of sessions.entries()) await memory.for('ada').append(`talk ${place}`, messages)
    clock.advance(settled)
  }
  one.play(copied)
  await one.memory.upkeep.run()
  const { read } = await readAll(other.ada, copied)
  const sent = one.server.requests.map(({ instructions, prompt, schema }) => unmarked(JSON.stringify({ instructions, prompt, schema })))
  const handed = read.map(({ instructions, prompt, schema }) => unmarked(JSON.stringify({ instructions, prompt, schema })))
  expect(handed.length).toBeGreaterThanOrEqual(sessions.length)
  expect(handed.toSorted()).toEqual(sent.toSorted())
  expect(handed.join('\n').split('[redacted: ').length).toBeGreaterThan(samples.length / 2)
})

/** What is said holds no secret: an answer makes one of its words. */
const harmless = [
  'The tangerines for the lighthouse kitchen come on Mondays.',
  'The wifi of the lighthouse kitchen is slow, and its password is on the fridge.',
  'The keeper of the lighthouse kitchen is away until May.',
]

/** Sentences that a model makes of what was said, and the secret in each. */
const made: Readonly<Record<string, string>> = {
  'The wifi password is tangerines.': 'is tangerines',
  'The password of the fridge: kitchen-tangerines': ': kitchen-tangerines',
  'The code word of the keeper is lighthouse.': 'is lighthouse',
}

/** A model that makes secrets in all that it writes for a project, and else copies. */
const careless: ModelScript = (request) => {
  if (!isForSharing(request) && !isDigest(request)) return copied(request)
  const from = itemsOf(request).map(({ number }) => number)
  const items = Object.keys(made).map((text) => ({ from, text }))
  return { object: Object.fromEntries(keysOf(request).map((key) => [key, items])) }
}

/** Says the same in three sittings of each of some days, and shares it. */
async function sayHarmless(memory: Memory, clock: ManualClock, days: number): Promise<void> {
  const acme = memory.project('default')
  await acme.bank.setSharing(true, { acknowledge: true })
  await acme.settings.set({ bank: { maxTokens: 200 } })
  clock.advance((days + 20) * day)
  const begin = clock.now() - (days + 10) * day
  for (let talk = 0; talk < 3 * days; talk += 1) {
    const at = begin + Math.floor(talk / 3) * day + (talk % 3) * hour
    await memory.for('ada').append(
      `talk ${talk}`,
      // Long enough for several parts, which are fused.
      Array.from({ length: 41 }, (_, place) => ({ role: 'user' as const, content: harmless[place % 3] ?? '', at })),
    )
  }
  clock.advance(settled)
}

/** All that a project shows its members, and the writers of it. */
async function shownTo(memory: Memory): Promise<{ text: string; writers: string[] }> {
  const acme = memory.project('default')
  const entries = await acme.bank.entries({ limit: 1_000 })
  const { hits } = await acme.bank.search('wifi password tangerines kitchen keeper', { limit: 100 })
  const { text } = await memory.for('bob').context({ query: 'wifi password of the lighthouse kitchen' })
  return { text: JSON.stringify([entries, hits, await acme.bank.render(), text]), writers: entries.map(({ writer }) => writer) }
}

// requirement: BANK-6
test('a secret that a configured model makes itself reaches no entry of a project, nor its digests', async () => {
  const { memory, clock, play, server } = await distilling({ embeddingModel: false, modelWindow: 16_384, layers })
  play(careless)
  await sayHarmless(memory, clock, 3)
  for (let run = 0; run < 4; run += 1) await memory.upkeep.run()
  const { text, writers } = await shownTo(memory)
  expect(server.requests.filter(isDigest).length).toBeGreaterThan(0)
  expect(writers.every((writer) => writer.endsWith('scripted'))).toBe(true)
  expect(text.includes('[redacted: ')).toBe(true)
  expect(Object.values(made).filter((secret) => text.includes(secret))).toEqual([])
})

// requirement: BANK-6
test('a secret that the host’s model makes itself reaches no entry of a project', async () => {
  const { memory, clock, ada } = await hosted({ layers }, { perSession: 1_000, perDay: 10_000 })
  await sayHarmless(memory, clock, 1)
  await readAll(ada, careless)
  const { text, writers } = await shownTo(memory)
  expect(new Set(writers)).toEqual(new Set(['host:scripted']))
  expect(text.includes('[redacted: ')).toBe(true)
  expect(Object.values(made).filter((secret) => text.includes(secret))).toEqual([])
})
