import { expect, test } from 'vitest'
import type { BankStats, UserMemory } from '../../packages/varve/src/index.ts'
import { type Distilling, distilling } from '../fixtures/distil/open.ts'
import { day, hour, settled, talk } from '../fixtures/distil/talk.ts'
import { isDigest } from '../fixtures/distil/writer.ts'

const start = Date.parse('2026-10-05T08:00:00Z')

/** Opens a bank of three conversations on each day of a week, with the digests that its budget asks for, written by a model. */
async function given(maxTokens: number): Promise<Distilling & { ada: UserMemory }> {
  const it = await distilling({ layers: { gists: false, bank: true }, isolation: 'silent' })
  it.clock.set(start + 15 * day)
  const ada = it.memory.for('ada')
  await it.memory.project('default').settings.set({ bank: { maxTokens } })
  for (let place = 0; place < 21; place += 1) {
    const at = start + Math.floor(place / 3) * day + (place % 3) * hour
    await ada.append(
      `talk-${place}`,
      talk(`gull${place}`, 2).map((message) => ({ ...message, at })),
    )
  }
  it.clock.advance(settled)
  await it.memory.upkeep.run()
  return { ...it, ada }
}

const entriesOf = async (ada: UserMemory): Promise<BankStats['entries']> => (await ada.bank.stats()).entries

/** Runs upkeep at the very moment, and counts the requests for a digest; then it rests. */
async function digestsAsked({ memory, server }: Distilling): Promise<number> {
  const count = (): number => server.requests.filter(isDigest).length
  const before = count()
  expect(await memory.upkeep.run()).toMatchObject({ settled: true })
  const [asked, all] = [count() - before, server.count]
  expect(await memory.upkeep.run()).toMatchObject({ digested: 0, settled: true })
  expect(server.count).toBe(all)
  return asked
}

test.each([
  [
    'delete',
    async (ada: UserMemory): Promise<unknown> =>
      ada.bank.delete((await ada.bank.entries()).find(({ session }) => session === 'talk-5')?.id ?? ''),
    20,
  ],
  ['forget of a whole session', async (ada: UserMemory): Promise<unknown> => ada.forget({ session: 'talk-5' }), 20],
  [
    'correct',
    async (ada: UserMemory): Promise<unknown> =>
      ada.bank.correct((await ada.bank.entries()).find(({ session }) => session === 'talk-5')?.id ?? '', 'The gull was sold to Hven.'),
    21,
  ],
] as const)('%s: the digests that it takes out are made again at once, each once', async (_, change, conversations) => {
  const it = await given(200)
  const before = await entriesOf(it.ada)
  expect(before).toMatchObject({ conversation: 21, day: 7, week: 1 })
  expect(await digestsAsked(it)).toBe(0)
  await change(it.ada)
  const left = await entriesOf(it.ada)
  expect(left).toMatchObject({ conversation: conversations, day: 6, week: 0 })
  // A month and a year of one week take its words: no model is asked for them.
  expect(await digestsAsked(it)).toBe(2)
  expect(await entriesOf(it.ada)).toEqual({ ...before, conversation: conversations })
})

test('a lowered budget: its digests are made by the next upkeep; one that is set to what it was asks for nothing', async () => {
  const it = await given(10_000)
  const { ada, memory } = it
  expect(await entriesOf(ada)).toMatchObject({ conversation: 21, day: 0, week: 0 })
  await memory.project('default').settings.set({ bank: { maxTokens: 200 } })
  expect(await digestsAsked(it)).toBe(8)
  const made = await entriesOf(ada)
  expect(made).toMatchObject({ day: 7, week: 1 })
  for (const maxTokens of [200, 10_000, 200]) {
    await memory.project('default').settings.set({ bank: { maxTokens } })
    expect(await digestsAsked(it)).toBe(0)
  }
  expect(await entriesOf(ada)).toEqual(made)
})

test('a pin makes no digest due', async () => {
  const it = await given(200)
  const [first] = await it.ada.bank.entries()
  await it.ada.bank.pin(first?.id ?? '')
  expect(await digestsAsked(it)).toBe(0)
})
