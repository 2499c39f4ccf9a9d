import { expect, test } from 'vitest'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })

// requirement: P4.12
test('what an agent noted against the user’s words stays unverified when the user ends these', async () => {
  const user = shared.user()
  const shown = async () => (await user.facts.list()).map(({ object, unverified }) => [object, unverified === true])
  await user.append('s1', { role: 'user', content: 'I live in Passau.', at: '2026-05-01T09:00:00Z' })
  await shared.memory.upkeep.run({ all: true })
  await user.facts.add({ predicate: 'lives in', object: 'Timbuktu', writer: 'helmsman' })
  expect(await shown()).toContainEqual(['Timbuktu', true])
  await user.append('s2', { role: 'user', content: 'I no longer live in Passau.' })
  await shared.memory.upkeep.run({ all: true })
  expect(await shown()).toEqual([['Timbuktu', true]])
  expect((await user.context({ query: 'What is known of me?' })).text).not.toContain('Timbuktu')
})
