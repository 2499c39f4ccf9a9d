import { expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const linesOf = (from: { export(): AsyncIterable<string> }): Promise<string[]> => Array.fromAsync(from.export())

interface World {
  readonly clock: ManualClock
  readonly memory: Memory
  readonly ada: UserMemory
}

/** Makes a memory with what a person can delete by hand. */
async function world(): Promise<World> {
  const clock = new ManualClock(Date.UTC(2026, 5, 1))
  const memory = await openForTest({
    layers: { bank: true, documents: true, notes: true },
    clock,
    embeddingModel: false,
    languageModel: false,
  })
  const ada = memory.for({ project: 'pier', user: 'ada' })
  await ada.append('talk', { role: 'user', content: 'We sail to Zanzibar in June.' })
  await ada.blocks.set('habits', 'Tea from Zanzibar.')
  await ada.blocks.set('here', 'Only Zanzibar today.', { session: 'talk' })
  await ada.documents.edit('Trips', '- Zanzibar in June')
  await ada.documents.edit('Told', '- Zanzibar, as told', { during: 'talk' })
  await ada.notes.edit('talk', '# Trip\n\n- Zanzibar')
  await ada.distil('talk')
  await memory.project('pier').blocks.set('rules', 'No Zanzibar.')
  await memory.project('pier').documents.edit('Plan', '- Zanzibar')
  clock.advance(60_000)
  return { clock, memory, ada }
}

async function standing({ memory, ada }: World): Promise<string[]> {
  const found = await Promise.all([
    ada.blocks.get('habits'),
    ada.blocks.get('here', { session: 'talk' }),
    ada.documents.read('Trips'),
    ada.documents.read('Told'),
    ada.notes.get('talk'),
    memory.project('pier').blocks.get('rules'),
    memory.project('pier').documents.read('Plan'),
  ])
  return ['habits', 'here', 'Trips', 'Told', 'notes', 'rules', 'Plan'].filter((_, place) => found[place] !== undefined)
}

async function deleteAll({ memory, ada }: World): Promise<void> {
  await ada.blocks.delete('habits')
  await ada.blocks.delete('here', { session: 'talk' })
  await ada.documents.delete('Trips')
  await ada.documents.delete('Told')
  await ada.notes.delete('talk')
  await memory.project('pier').blocks.delete('rules')
  await memory.project('pier').documents.delete('Plan')
}

test('an older export brings back no block, document or notes that were deleted by hand since, unless it is asked for', async () => {
  const here = await world()
  const [own, shared] = [await linesOf(here.ada), await linesOf(here.memory.project('pier'))]
  await deleteAll(here)
  expect(await here.ada.import(own)).toMatchObject({ state: 'applied', forgotten: 5 })
  expect(await here.memory.project('pier').import(shared)).toMatchObject({ state: 'applied', forgotten: 2 })
  await here.memory.upkeep.run({ all: true })
  expect(await standing(here)).toEqual([])
  await here.ada.import(own, { restoreForgotten: true })
  await here.memory.project('pier').import(shared, { restoreForgotten: true })
  expect(await standing(here)).toEqual(['habits', 'here', 'Trips', 'Told', 'notes', 'rules', 'Plan'])
})

test('what was written anew after its deletion comes back with an export from then, and a second deletion counts', async () => {
  const here = await world()
  await deleteAll(here)
  here.clock.advance(60_000)
  await here.ada.blocks.set('habits', 'Coffee from Zanzibar.')
  await here.ada.documents.edit('Trips', '- Zanzibar in July')
  const lines = await linesOf(here.ada)
  const stranger = await openForTest({ clock: here.clock, embeddingModel: false })
  const ada = stranger.for({ project: 'pier', user: 'ada' })
  expect((await ada.import(lines, { accept: true })).stored).toMatchObject({ block: 1, page: 1 })
  expect(await ada.blocks.get('habits')).toMatchObject({ text: 'Coffee from Zanzibar.' })
  expect(await here.ada.import(lines)).toMatchObject({ forgotten: 0 })
  here.clock.advance(60_000)
  await here.ada.blocks.delete('habits')
  await here.ada.documents.delete('Trips')
  expect(await here.ada.import(lines)).toMatchObject({ forgotten: 2 })
  expect(await standing(here)).toEqual([])
})

test('a deletion is its owner’s alone: another store, another user and another name take the export', async () => {
  const here = await world()
  const lines = await linesOf(here.ada)
  await deleteAll(here)
  const stranger = await openForTest({ clock: here.clock, embeddingModel: false })
  const far = stranger.for({ project: 'pier', user: 'ada' })
  await far.import(lines, { accept: true })
  expect((await far.blocks.get('habits'))?.text).toBe('Tea from Zanzibar.')
  expect((await far.documents.read('Trips'))?.content).toBe('- Zanzibar in June')
  expect((await far.notes.get('talk'))?.content).toContain('Zanzibar')
  const bob = here.memory.for({ project: 'pier', user: 'bob' })
  await bob.import(lines, { accept: true })
  expect((await bob.documents.read('Trips'))?.content).toBe('- Zanzibar in June')
})

test('an entry of the bank that was deleted by hand does not come back with an older export', async () => {
  const { ada, memory } = await world()
  const lines = await linesOf(ada)
  const [entry] = await ada.bank.entries()
  await ada.bank.delete(entry?.id ?? '')
  await ada.import(lines)
  await memory.upkeep.run({ all: true })
  expect(await ada.bank.entries()).toEqual([])
})
