import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Memory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { settled, talk } from '../fixtures/distil/talk.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

/** Leaves out of the kept texts what an earlier Varve did not keep with them: the partition of their session. */
function asKeptBefore(store: string): number {
  const connection = new Database(store)
  const { changes } = connection.prepare("UPDATE deed_text SET state = json_remove(state, '$.home', '$.partition_id')").run()
  connection.close()
  return changes
}

test('what an earlier Varve kept of a deletion and a correction is brought back: of one’s own bank and of a shared one', async () => {
  const [clock, store] = [new ManualClock(), newStore()]
  const open = () => openForTest({ store, clock, embeddingModel: false, languageModel: false, layers: { bank: true } })
  const banksOf = (memory: Memory) => [memory.for({ project: 'pier', user: 'ada' }).bank, memory.project('pier').bank] as const
  const before = await open()
  await before.project('pier').bank.setSharing(true, { acknowledge: true })
  clock.advance(1)
  const ada = before.for({ project: 'pier', user: 'ada' })
  for (const name of ['tern', 'gull']) await ada.append(name, talk(name, 2))
  clock.advance(settled)
  await before.upkeep.run({ all: true })
  const stood: (readonly string[])[] = []
  for (const bank of banksOf(before)) {
    const [first, second] = await bank.entries()
    stood.push((await bank.entries()).map(({ bullets }) => bullets.join()).toSorted())
    await bank.delete(first?.id ?? '')
    await bank.correct(second?.id ?? '', 'Barge gull is green.')
  }
  await before.close()
  expect(asKeptBefore(store)).toBeGreaterThan(3)
  const after = await open()
  for (const [place, bank] of banksOf(after).entries()) {
    for (const { id } of await bank.history()) await bank.restore(id)
    expect((await bank.entries()).map(({ bullets }) => bullets.join()).toSorted()).toEqual(stood[place])
  }
  expect((await after.project('pier').bank.search('barge', { limit: 20 })).hits.length).toBeGreaterThan(2)
})
