import { expect, test } from 'vitest'
import type { ModelScript } from '../../packages/varve/src/testing/index.ts'
import { distilling, openAt } from '../fixtures/distil/open.ts'
import { settled, talk } from '../fixtures/distil/talk.ts'
import { newStore } from '../fixtures/memory/open.ts'
import type { Memory } from '../../packages/varve/src/index.ts'

const down: ModelScript = () => ({ status: 503, headers: { 'retry-after': '1800' }, text: 'down' })
const reasonsOf = async (memory: Memory): Promise<string[]> => [
  ...new Set((await memory.upkeep.status()).failures.map(({ reason }) => reason)),
]

test.each(['inline', 'threads'] as const)(
  'each waiting session tells why the model failed, also where it was left alone since (%s)',
  async (engine) => {
    const { memory, clock, play } = await distilling({ store: newStore(), engine })
    play(down)
    for (const session of ['monday', 'tuesday', 'friday']) await memory.for('ada').append(session, talk(session, 4))
    clock.advance(settled)
    await memory.upkeep.run()
    const [first, ...others] = await reasonsOf(memory)
    expect((await memory.upkeep.status()).failures.length).toBeGreaterThan(2)
    expect(first).toMatch(/503|busy|answered/i)
    expect(others).toEqual([])
  },
)

test('a session that is read on while its model is down keeps the reason that was recorded', async () => {
  const store = newStore()
  const { memory, clock, play, server } = await distilling({ store })
  play(down)
  await memory.for('ada').append('monday', talk('tern', 4))
  clock.advance(settled)
  await memory.upkeep.run()
  const recorded = await reasonsOf(memory)
  expect(recorded).toHaveLength(1)
  await memory.close()
  const again = await openAt(server.url, { store, clock, layers: { gists: true, bank: true, facts: false, instructions: false } })
  await again.for('ada').append('tuesday', talk('gull', 4))
  clock.advance(settled)
  await again.upkeep.run()
  await again.upkeep.run()
  expect(await reasonsOf(again)).toEqual(recorded)
  expect(String(await reasonsOf(again))).not.toMatch(/not asked|moment ago/)
})
