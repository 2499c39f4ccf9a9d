import { expect, test } from 'vitest'
import type { List, ListOptions, Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const count = 1_400
const metadata = { about: 'x'.repeat(16_300) }
const limit = 100_000

/** Fills a memory with sessions of the largest metadata and the longest gists. Every two sessions have the same time. */
async function filled(memory: Memory): Promise<UserMemory> {
  const ada = memory.for('ada')
  for (let from = 0; from < count; from += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async (_, place) => {
        const session = `session ${from + place}`
        await ada.sessions.ensure(session, { metadata })
        await ada.append(session, { role: 'user', content: `number ${from + place}`, at: 1_000_000 * Math.floor((from + place) / 2) })
        await ada.gists.write(session, `${session} ${'and so on '.repeat(1_600)}`)
      }),
    )
  }
  return ada
}

async function pages<Item>(list: (options: ListOptions) => Promise<List<Item>>, each: number): Promise<(readonly Item[])[]> {
  const found: (readonly Item[])[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: List<Item> = await list({ limit: each, ...(cursor === '' ? {} : { cursor }) })
    found.push(page)
    cursor = page.cursor
  }
  return found
}

// requirement: P5.12
test('a list ends early at 16 MiB of text and says where the next one goes on; all of them together are the list', async () => {
  const memory = await openForTest({ store: newStore(), engine: 'threads' })
  const ada = await filled(memory)
  const newest = Array.from({ length: count }, (_, place) => `session ${place}`)
  const sessions = await pages((options) => ada.sessions.list(options), limit)
  expect(sessions.map(({ length }) => length)).toEqual([1_027, 373])
  expect(new Set(sessions.flat().map(({ id }) => id))).toEqual(new Set(newest))
  expect(sessions.flat().map(({ lastAt }) => lastAt)).toEqual(newest.map((_, place) => 1_000_000 * Math.floor((count - 1 - place) / 2)))
  const gists = await pages((options) => ada.gists.list(options), limit)
  expect(gists.map(({ length }) => length)).toEqual([523, 523, 354])
  expect(new Set(gists.flat().map(({ session }) => session))).toEqual(new Set(newest))
  expect(memory.counters().threadsRestarted).toBe(0)
}, 120_000)

test('pages of a bank go on where the one before ended, through all granularities; a cursor of another list is refused', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const memory = await openForTest({ clock, layers: { gists: true, bank: true } })
  await memory.project('default').settings.set({ bank: { maxTokens: 200 } })
  const ada = memory.for('ada')
  const day = 86_400_000
  for (let place = 0; place < 30; place += 1) {
    const at = Date.UTC(2025, 0, 1) + Math.floor(place / 2) * day
    await ada.append(`session ${place}`, { role: 'user', content: `Ferry number ${place} leaves at noon from the green quay.`, at })
  }
  clock.advance(day)
  await memory.upkeep.run({ project: 'default' })
  await memory.upkeep.run()
  const all = await ada.bank.entries()
  expect(new Set(all.map(({ granularity }) => granularity)).size).toBeGreaterThan(1)
  expect(all.cursor).toBeUndefined()
  for (const each of [1, 7, all.length - 1, all.length]) {
    const found = await pages((options) => ada.bank.entries(options), each)
    const rest = all.length % each
    const whole = Array.from({ length: (all.length - rest) / each }, () => each)
    expect(found.map(({ length }) => length)).toEqual(rest === 0 ? whole : [...whole, rest])
    expect(found.flat()).toEqual(all)
    expect((await pages((options) => ada.gists.list(options), each)).flat()).toEqual(await ada.gists.list())
    expect((await pages((options) => ada.sessions.list(options), each)).flat()).toEqual(await ada.sessions.list())
  }
  const days = await pages((options) => ada.bank.entries({ ...options, granularity: 'day' }), 2)
  expect(days.flat()).toEqual(all.filter(({ granularity }) => granularity === 'day'))
  const { cursor = '' } = await ada.bank.entries({ limit: 1 })
  await expect(ada.gists.list({ cursor })).rejects.toMatchObject({ code: 'OPTION_INVALID', option: 'cursor' })
  await expect(ada.sessions.list({ cursor: '' })).rejects.toMatchObject({ code: 'OPTION_INVALID', option: 'cursor' })
})

test('revisions of long pages come in pages, each with its difference from the one before', async () => {
  const memory = await openForTest({ store: newStore(), engine: 'threads', layers: { documents: true } })
  const ada = memory.for('ada')
  const lines = Array.from({ length: 200 }, (_, place) => `${place} ${'and so on '.repeat(95)}`)
  for (let turn = 1; turn <= 120; turn += 1) await ada.documents.edit('Long', [`turn ${turn}`, ...lines].join('\n'), { maxChars: 200_000 })
  const found = await pages((options) => ada.documents.revisions('Long', options), 200)
  expect(found.map(({ length }) => length)).toEqual([86, 34])
  expect(found.flat().map(({ revision }) => revision)).toEqual(Array.from({ length: 120 }, (_, place) => 120 - place))
  for (const { revision, content, diff } of found.flat()) {
    expect([content?.split('\n')[0], diff?.includes(`+turn ${revision}\n`)]).toEqual([`turn ${revision}`, true])
  }
  expect((await pages((options) => ada.documents.revisions('Long', options), 50)).flat()).toEqual(found.flat())
  expect((await ada.documents.revisions('Long', { limit: 120 })).length).toBe(86)
}, 120_000)
