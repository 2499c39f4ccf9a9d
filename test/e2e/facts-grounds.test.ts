import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false })

/** Adds a fact of the user's, with its grounds. */
async function decided(ada: UserMemory, object: string, ...dependsOn: string[]): Promise<string> {
  return (await ada.facts.add({ predicate: 'decided to', object, dependsOn })).id
}

async function chain(ada: UserMemory, length: number): Promise<string[]> {
  const ids = [await decided(ada, 'step 0')]
  for (let place = 1; place < length; place += 1) ids.push(await decided(ada, `step ${place}`, ids.at(-1) ?? ''))
  return ids
}

const doubts = async (ada: UserMemory): Promise<number> =>
  (await ada.facts.query({ limit: 10_000 })).filter(({ doubtful }) => doubtful).length

test('100 facts that rest on each other stand, and all fall with the first', async () => {
  const ada = shared.user()
  // Each fact that is added looks at all of its grounds.
  const [first = ''] = await chain(ada, 100)
  expect(await doubts(ada)).toBe(0)
  await ada.facts.retract(first)
  expect(await doubts(ada)).toBe(99)
})

test('250 facts in a circle stand as long as none of them falls', async () => {
  const ada = shared.user()
  const ids = await chain(ada, 250)
  await decided(ada, 'step 0', ids.at(-1) ?? '')
  expect(await doubts(ada)).toBe(0)
  await ada.facts.retract(ids[125] ?? '')
  // The first fact was also said without a ground: it stands, and so do the facts that rest on it up to the fallen one.
  expect(await doubts(ada)).toBe(124)
})

test('facts that all rest on all others are told in no time', async () => {
  const ada = shared.user()
  const ids = await Promise.all(Array.from({ length: 12 }, (_, place) => decided(ada, `step ${place}`)))
  for (const id of ids) await ada.facts.retract(id)
  for (let place = 0; place < ids.length; place += 1) await decided(ada, `step ${place}`, ...ids.filter((_, other) => other !== place))
  const cpu = process.cpuUsage()
  expect(await doubts(ada)).toBe(0)
  const { user, system } = process.cpuUsage(cpu)
  expect((user + system) / 1_000).toBeLessThan(2_000)
})
