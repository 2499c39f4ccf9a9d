import { expect, test, vi } from 'vitest'
import { MemoryClosed } from '../../packages/varve/src/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { settled, talk } from '../fixtures/distil/talk.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'

test(
  'a reading that a close breaks off, one that waits for its turn and one that comes after it reject with MemoryClosed, and the ' +
    'session is free',
  async () => {
    const store = newStore()
    const { memory, clock, server, play } = await distilling({ store })
    const ada = memory.for('ada')
    await ada.append('monday', talk('tern', 5))
    play(() => ({ hangs: true }))
    const asking = rejection(ada.distil('monday'))
    await vi.waitUntil(() => server.count > 0, { timeout: 20_000 })
    const waiting = rejection(ada.gists.distil('monday'))
    await memory.close()
    for (const error of [await asking, await waiting, await rejection(ada.distil('monday'))]) expect(error).toBeInstanceOf(MemoryClosed)
    const next = await openForTest({ store, clock, languageModel: false })
    await next.for('ada').distil('monday')
    expect(await next.for('ada').gists.pending('monday')).toBe(0)
  },
)

test('so does a run of upkeep', async () => {
  const { memory, clock, server, play } = await distilling()
  await memory.for('ada').append('monday', talk('tern', 5))
  clock.advance(settled)
  play(() => ({ hangs: true }))
  const running = rejection(memory.upkeep.run())
  await vi.waitUntil(() => server.count > 0, { timeout: 20_000 })
  await memory.close()
  expect(await running).toBeInstanceOf(MemoryClosed)
})
