import { expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const january = Date.UTC(2026, 0, 15, 12)
const moved = { role: 'user', content: 'I moved to Perth last summer.' } as const

interface Opened {
  readonly memory: Memory
  readonly ada: UserMemory
  readonly clock: ManualClock
}

async function inHemisphere(hemisphere: 'north' | 'south'): Promise<Opened> {
  const clock = new ManualClock(january)
  const memory = await openForTest({ clock, embeddingModel: false, languageModel: false, layers: { bank: true } })
  await memory.project('acme').settings.set({ hemisphere })
  return { memory, ada: memory.for({ project: 'acme', user: 'ada' }), clock }
}

/** Gives the times in words of all facts, with their ranges as days. */
async function whens(ada: UserMemory): Promise<string[]> {
  const day = (at = Number.NaN): string => new Date(at).toISOString().slice(0, 10)
  const facts = await ada.facts.list()
  return [...new Set(facts.flatMap(({ when }) => (when === undefined ? [] : [`${day(when.from)}..${day(when.to)}`])))]
}

test('“last summer” of a fact, said in January, is that of the project’s hemisphere', async () => {
  for (const [hemisphere, range] of [
    ['north', '2025-06-01..2025-09-01'],
    ['south', '2024-12-01..2025-03-01'],
  ] as const) {
    const { ada } = await inHemisphere(hemisphere)
    await ada.append('talk', moved)
    await ada.distil('talk')
    expect(await whens(ada), hemisphere).toEqual([range])
  }
})

test.each([
  ['I started at the harbour office in the spring of 2025.', '2025-09-01..2025-12-01'],
  ['I adopted a dog last winter.', '2025-06-01..2025-09-01'],
  ['I adopted a dog in the autumn of 2024.', '2024-03-01..2024-06-01'],
  ['I moved to Perth this summer.', '2025-12-01..2026-03-01'],
  ['I moved to Perth last March.', '2025-03-01..2025-04-01'],
])('in the south: %s', async (content, range) => {
  const { ada } = await inHemisphere('south')
  await ada.append('talk', { role: 'user', content })
  await ada.distil('talk')
  expect(await whens(ada)).toEqual([range])
})

test('older talk that is brought in has southern seasons of its own time, and a rebuild keeps them', async () => {
  const { memory, ada } = await inHemisphere('south')
  await ada.append('old', { ...moved, at: Date.UTC(2020, 6, 1) })
  await memory.upkeep.run({ all: true })
  expect(await whens(ada)).toEqual(['2019-12-01..2020-03-01'])
  await ada.bank.rebuild()
  await memory.upkeep.run({ all: true })
  expect(await whens(ada)).toEqual(['2019-12-01..2020-03-01'])
})

test('a change of the setting holds for what is read from then on, and for a message that is read again', async () => {
  const { memory, ada } = await inHemisphere('north')
  const { messages } = await ada.append('talk', moved)
  await ada.distil('talk')
  await memory.project('acme').settings.set({ hemisphere: 'south' })
  await ada.append('talk', { role: 'user', content: 'Nice weather.' })
  await ada.distil('talk')
  expect(await whens(ada)).toEqual(['2025-06-01..2025-09-01'])
  await ada.replace(messages[0]?.id ?? '', 'I moved to Fremantle last summer.')
  await ada.distil('talk')
  expect(await whens(ada)).toEqual(['2024-12-01..2025-03-01'])
})
