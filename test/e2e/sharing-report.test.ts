import { expect, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { settled, talk } from '../fixtures/distil/talk.ts'
import { openForTest } from '../fixtures/memory/open.ts'

test('the entries of a member come in the order of storing', async () => {
  const clock = new ManualClock()
  const memory = await openForTest({ clock, embeddingModel: false, languageModel: false, layers: { bank: true } })
  const pier = memory.project('pier')
  await pier.bank.setSharing(true, { acknowledge: true })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  for (let place = 0; place < 12; place += 1) {
    clock.advance(1_000)
    await ada.append(`talk ${place}`, talk(`tern-${place}`, 1))
  }
  clock.advance(settled)
  await memory.upkeep.run({ all: true })
  const stored = (await pier.bank.entries({ granularity: 'conversation' })).map(({ id }) => id).toReversed()
  expect(stored).toHaveLength(12)
  const { entries = [] } = await pier.sharing({ member: 'ada' })
  expect(entries.filter(({ granularity }) => granularity === 'conversation').map(({ id }) => id)).toEqual(stored)
})
