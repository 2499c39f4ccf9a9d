import { describe, expect, test } from 'vitest'
import type { LedgerEntry, Memory } from '../../packages/varve/src/index.ts'
import { ManualClock, type ModelScript } from '../../packages/varve/src/testing/index.ts'
import { distilling, modelName, openAt, serve } from '../fixtures/distil/open.ts'
import { day, hour, sentence, settled, talk } from '../fixtures/distil/talk.ts'
import { copied, isDigest } from '../fixtures/distil/writer.ts'
import { newStore } from '../fixtures/memory/open.ts'

/** Down, and says so: it is not asked again meanwhile. */
const down: ModelScript = () => ({ status: 503, headers: { 'retry-after': '1800' }, text: 'down' })

async function provisionalIn(memory: Memory): Promise<number> {
  const { provisional } = await memory.upkeep.status()
  return provisional.gists + provisional.bank + (await memory.for('ada').bank.stats()).provisional
}

describe('a model that is down for a month', () => {
  const days = 30

  // requirement: P1.6
  test('costs no message; what was written without it serves, and is written again in bounded runs', async () => {
    const { memory, clock, server, play } = await distilling({ modelWindow: 32_768 })
    await memory.project('default').settings.set({ bank: { maxTokens: 10_000 } })
    const ada = memory.for('ada')
    play(down)
    for (let at = 0; at < days; at += 1) {
      await ada.append(`day-${at}`, talk(`tern${at}`, 4))
      await ada.append('endless', talk(`gull${at}`, 2))
      clock.advance(settled)
      await memory.upkeep.run()
      clock.advance(day - settled)
    }
    await memory.upkeep.run()
    expect(await ada.sessions.list()).toHaveLength(days + 1)
    expect(await ada.messages('endless', { limit: 1_000 })).toHaveLength(2 * days)
    expect(await ada.gists.pending()).toBe(0)
    const gists = await ada.gists.list()
    expect(gists).toHaveLength(days + 1)
    expect(gists.every(({ writer, provisional }) => writer === 'extractive' && provisional)).toBe(true)
    expect(await ada.bank.render()).toMatchObject({ omitted: 0, text: expect.stringContaining('Barge') })
    expect((await ada.gists.recall('tern3-1')).hits[0]).toMatchObject({ session: 'day-3', provisional: true })
    expect((await ada.context({ query: 'tern3-1', tiers: { details: { limit: 0 } } })).text).toContain('tern3-1')

    play(copied)
    clock.advance(2 * day)
    const runs: number[] = []
    for (let asked = -1; asked !== server.count && runs.length < 200;) {
      asked = server.count
      await memory.upkeep.run({ maxCalls: 8 })
      runs.push(server.count - asked)
    }
    expect(Math.max(...runs)).toBeLessThanOrEqual(8)
    await memory.upkeep.run()
    expect(await provisionalIn(memory)).toBe(0)
    expect((await memory.upkeep.status()).failures).toEqual([])
    expect((await ada.gists.list()).every(({ writer }) => writer === modelName)).toBe(true)
    expect((await ada.bank.entries()).filter(({ writer }) => writer !== modelName)).toEqual([])
  })

  // requirement: BANK-20
  test('leaves a digest of a day that goes on: it is written again once that is over, and not before', async () => {
    const { memory, clock, server, play } = await distilling({ modelWindow: 32_768 })
    await memory.project('default').settings.set({ bank: { maxTokens: 200 } })
    const ada = memory.for('ada')
    play(down)
    for (let at = 0; at < 12; at += 1) await ada.append(`talk-${at}`, talk(`tern${at}`, 4))
    clock.advance(settled)
    await memory.upkeep.run()
    // A digest of the day that is not over: there are enough new conversations.
    expect(await ada.bank.entries({ granularity: 'day' })).toMatchObject([{ provisional: true }])
    play(copied)
    clock.advance(2 * hour)
    await memory.upkeep.run({ user: 'ada' })
    const before = server.count
    // Nothing is left to do before that day is over: a run that wrote it again and again would not settle.
    expect(await memory.upkeep.run({ maxSeconds: 2 })).toMatchObject({ settled: true, digested: 0 })
    expect(server.count).toBe(before)
    clock.advance(30 * hour)
    await memory.upkeep.run()
    expect(await provisionalIn(memory)).toBe(0)
    expect(server.requests.filter(isDigest).length).toBeGreaterThan(0)
  })
})

// A bad answer puts nothing off: each turn asks six times, and the background takes turn after turn.
test('digests whose answers cannot be used are not asked for again and again', async () => {
  const { memory, clock, server, play } = await distilling({ modelWindow: 32_768 })
  await memory.project('default').settings.set({ bank: { maxTokens: 200 } })
  for (let at = 0; at < 12; at += 1) await memory.for('ada').append(`talk-${at}`, talk(`tern${at}`, 3))
  clock.advance(30 * hour)
  play((request) => (isDigest(request) ? { object: {} } : copied(request)))
  for (let turn = 0; turn < 4; turn += 1) await memory.upkeep.run()
  expect(server.requests.filter(isDigest).length).toBeGreaterThan(0)
  expect(server.requests.filter(isDigest).length).toBeLessThanOrEqual(2)
  expect((await memory.upkeep.status()).failures).toEqual([expect.objectContaining({ kind: 'bank' })])
})

describe('a ceiling', () => {
  const isOf =
    (from: number, to: number) =>
    ({ at }: LedgerEntry): boolean =>
      at >= from && at < to

  // requirement: P5.9
  test('of calls is met within a day of the project’s zone, and the next such day goes on', async () => {
    // 23:50 in Kiritimati (UTC+14): its next day is ten minutes off.
    const clock = new ManualClock(Date.UTC(2026, 0, 5, 9, 50))
    const midnight = Date.UTC(2026, 0, 5, 10)
    const { memory, server } = await distilling({ clock, modelWindow: 32_768, layers: { gists: true } })
    await memory.project('default').settings.set({ timeZone: 'Pacific/Kiritimati', ceiling: { calls: 3 } })
    const ada = memory.for('ada')
    // Twenty new messages are due before the session is settled.
    for (let at = 0; at < 5; at += 1) await ada.append(`talk-${at}`, talk(`tern${at}`, 20))
    await memory.upkeep.run()
    expect(server.count).toBe(3)
    expect((await ada.gists.list()).map(({ provisional }) => provisional).toSorted()).toEqual([false, false, false, true, true])
    const { failures, languageModel } = await memory.upkeep.status()
    expect(failures.map(({ reason }) => reason)).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('ceiling')))
    expect(languageModel).not.toHaveProperty('notBefore')
    clock.set(midnight - 1_000)
    await memory.upkeep.run()
    expect(server.count).toBe(3)
    clock.set(midnight + 1_000)
    expect(await memory.upkeep.run()).toMatchObject({ distilled: 2, settled: true })
    expect(server.count).toBe(5)
    expect((await ada.gists.list()).every(({ provisional }) => !provisional)).toBe(true)
    expect((await memory.ledger()).filter(isOf(midnight, midnight + day))).toHaveLength(2)
  })

  // requirement: P5.9
  test('of tokens is met before it is passed', async () => {
    const { memory, server } = await distilling({ clock: new ManualClock(), modelWindow: 32_768, layers: { gists: true } })
    await memory.project('default').settings.set({ ceiling: { tokens: 4_000 } })
    const ada = memory.for('ada')
    for (let at = 0; at < 8; at += 1) await ada.append(`talk-${at}`, talk(`tern${at}`, 20))
    await memory.upkeep.run()
    const calls = await memory.ledger()
    expect(server.count).toBeGreaterThan(0)
    expect(server.count).toBeLessThan(8)
    expect(calls.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)).toBeLessThanOrEqual(4_000)
    expect(await ada.gists.list()).toHaveLength(8)
  })

  // requirement: P5.9
  test('is not passed by two memories on one file together', async () => {
    const store = newStore()
    const server = await serve(async (request) => ({ ...copied(request), delayMs: 20 }))
    const options = { store, clock: new ManualClock(), modelWindow: 32_768, layers: { gists: true } }
    const [one, other] = [await openAt(server.url, options), await openAt(server.url, options)]
    await one.project('default').settings.set({ ceiling: { calls: 7 } })
    for (let at = 0; at < 24; at += 1) await one.for(`user-${at}`).append('talk', talk(`tern${at}`, 20))
    await Promise.all([one.upkeep.run(), other.upkeep.run()])
    for (const memory of [one, other]) await memory.upkeep.run()
    expect(server.count).toBe(7)
    expect(await one.ledger()).toHaveLength(7)
    const gists = await Promise.all(Array.from({ length: 24 }, (_, at) => other.for(`user-${at}`).gists.get('talk')))
    expect(gists.filter((gist) => gist?.provisional === false)).toHaveLength(7)
    expect(gists.filter((gist) => gist?.provisional === true)).toHaveLength(17)
  })

  // requirement: P5.9
  test('of tokens is not passed by two memories on one file together', async () => {
    const store = newStore()
    const server = await serve(async (request) => ({ ...copied(request), delayMs: 20 }))
    const options = { store, clock: new ManualClock(), modelWindow: 32_768, layers: { gists: true } }
    const [one, other] = [await openAt(server.url, options), await openAt(server.url, options)]
    await one.project('default').settings.set({ ceiling: { tokens: 9_000 } })
    for (let at = 0; at < 24; at += 1) await one.for(`user-${at}`).append('talk', talk(`tern${at}`, 20))
    await Promise.all([one.upkeep.run(), other.upkeep.run()])
    const calls = await one.ledger()
    expect(calls).toHaveLength(server.count)
    expect(server.count).toBeGreaterThan(1)
    expect(server.count).toBeLessThan(24)
    expect(calls.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)).toBeLessThanOrEqual(9_000)
  })

  test('that is met makes digests once, not again and again until the day is over', async () => {
    const { memory, clock } = await distilling({ modelWindow: 32_768 })
    await memory.project('default').settings.set({ bank: { maxTokens: 200 }, ceiling: { calls: 12 } })
    const ada = memory.for('ada')
    for (let at = 0; at < 12; at += 1) await ada.append(`talk-${at}`, talk(`tern${at}`, 3))
    clock.advance(30 * hour)
    await memory.upkeep.run()
    const [day_] = await ada.bank.entries({ granularity: 'day' })
    expect(day_).toMatchObject({
      provisional: true,
      bullets: expect.arrayContaining([expect.stringContaining(sentence('tern11', 1).slice(0, 12))]),
    })
    expect(await memory.upkeep.run()).toMatchObject({ digested: 0, settled: true })
  })
})

// A standing part of 32,000 tokens is read again whole, with any window of the model that is back.
// requirement: GIST-4
test('what was read while the model was down is asked for within the model’s window', async () => {
  const window = 8_192
  const { memory, clock, server, play } = await distilling({ modelWindow: window, layers: { gists: true } })
  const ada = memory.for('ada')
  // The first finds the model down; the second is read without asking it.
  await ada.append('first', talk('gull', 3))
  clock.advance(settled)
  play(down)
  await memory.upkeep.run()
  const long = talk('tern', 40).map(({ content }) => ({
    role: 'user' as const,
    content: `${content} ${'It rests by the pier and waits there for the spring. '.repeat(40)}`,
  }))
  await ada.append('second', long)
  await memory.upkeep.run()
  play(copied)
  clock.advance(2 * day)
  const before = server.count
  await memory.upkeep.run()
  const sizes = server.requests
    .slice(before)
    .map(({ instructions, prompt, maxTokens }) => (instructions.length + prompt.length) / 5 + (maxTokens ?? 0))
  expect(sizes.length).toBeGreaterThan(1)
  expect(Math.max(...sizes)).toBeLessThan(window)
})
