import { expect, test } from 'vitest'
import type { Memory, ProjectMemory, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { day, talk } from '../fixtures/distil/talk.ts'
import { openForTest } from '../fixtures/memory/open.ts'

// An import keeps the ids of its lines where it can. On PostgreSQL an id is unique in a partition alone: two owners may
// have things with the same id. What one of them does to theirs does nothing to the other's.

interface World {
  readonly clock: ManualClock
  readonly memory: Memory
  readonly pier: ProjectMemory
  readonly ada: UserMemory
  readonly bo: UserMemory
}

async function world(): Promise<World> {
  const layers = { bank: true, documents: true, notes: true }
  const clock = new ManualClock()
  const memory = await openForTest({ clock, layers, embeddingModel: false, languageModel: false })
  const of = (user: string): UserMemory => memory.for({ project: 'pier', user })
  return { clock, memory, pier: memory.project('pier'), ada: of('ada'), bo: of('bo') }
}

const linesOf = async (from: { export(): AsyncIterable<string> }): Promise<string> => (await Array.fromAsync(from.export())).join('')

async function found(handle: UserMemory, query: string): Promise<string[]> {
  const { hits } = await handle.recall(query, { kinds: ['block', 'document'], limit: 20 })
  return hits.map(({ text }) => text).toSorted()
}

const rule = 'Name the quay in every answer.'
const page = '- The quay has nine lamps.'

test("deleting the copy of a project's block and document leaves the project's, and nothing of the copy", async () => {
  const { pier, ada, bo } = await world()
  await pier.blocks.set('rules', rule)
  await pier.documents.edit('Quay', page)
  await ada.append('talk', { role: 'user', content: 'Good morning.' })
  const empty = await linesOf(ada)
  expect(await ada.import(await linesOf(pier), { accept: true })).toMatchObject({ state: 'applied', stored: { block: 1, page: 1 } })
  expect(await found(ada, 'quay')).toHaveLength(2 * (await found(bo, 'quay')).length)
  await ada.blocks.set('rules', `${rule} And its lamps.`)
  await ada.blocks.delete('rules')
  await ada.documents.delete('Quay')
  expect(await found(bo, 'quay')).toEqual([rule, page].toSorted())
  expect(await found(ada, 'quay')).toEqual([rule, page].toSorted())
  // An export has all of a memory, what no recall shows too.
  expect(kindsIn(await linesOf(ada))).toEqual(kindsIn(empty))
})

test('importing an export again leaves each thing once, whoever else has its ids', async () => {
  const { pier, ada } = await world()
  await pier.blocks.set('rules', rule)
  const lines = await linesOf(pier)
  await ada.import(lines, { accept: true })
  await ada.blocks.delete('rules')
  await ada.import(lines, { accept: true, restoreForgotten: true })
  await ada.import(lines, { accept: true })
  expect(kindsIn(await linesOf(ada)).filter((kind) => kind.startsWith('item'))).toEqual(['item block'])
  await ada.forget({ all: true })
  expect(await linesOf(ada)).not.toContain(rule)
  expect(await linesOf(pier)).toContain(rule)
})

test('entries that were deleted by hand come back with their digests, though another user imported them meanwhile', async () => {
  const { clock, memory, ada, bo } = await world()
  // Under a tight budget upkeep makes digests.
  await memory.project('pier').settings.set({ bank: { maxTokens: 200 } })
  for (const name of ['tern', 'gull', 'swan']) {
    for (const part of ['one', 'two', 'three']) await ada.append(`${name} ${part}`, talk(`${name}${part}`, 5))
    clock.advance(day)
    await memory.upkeep.run({ all: true })
  }
  clock.advance(10 * day)
  await memory.upkeep.run({ all: true })
  await bo.append('chat', { role: 'user', content: 'Good morning.' })
  const entries = async (of: UserMemory): Promise<string[]> =>
    (await of.bank.entries()).map(({ granularity, period, bullets }) => [granularity, period, ...bullets].join(' ')).toSorted()
  const before = await entries(ada)
  expect(before.some((entry) => entry.startsWith('day'))).toBe(true)
  const lines = await linesOf(ada)
  const { id } = await ada.bank.clear()
  await bo.import(lines, { accept: true })
  await ada.bank.restore(id)
  expect(await entries(ada)).toEqual(before)
  expect(await entries(bo)).toEqual(before)
  await bo.forget({ session: 'tern one' })
  expect(await entries(ada)).toEqual(before)
  for (const part of ['one', 'two', 'three']) await ada.forget({ session: `gull ${part}` })
  expect((await entries(ada)).join()).not.toContain('gull')
})

/** The kinds of the records of an export that hold somebody's words. */
function kindsIn(lines: string): string[] {
  const records = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  return records.flatMap(({ kind = '', type = '' }) => (/^(?:item|block|page)/.test(kind) ? [`${kind} ${type}`.trim()] : [])).toSorted()
}
