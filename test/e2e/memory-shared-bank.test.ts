import { expect, test } from 'vitest'
import { InvalidOption } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

async function shared() {
  const clock = new ManualClock()
  const memory = await openForTest({ clock, embeddingModel: false, layers: { gists: false } })
  const acme = memory.project('acme')
  const of = (user: string) => memory.for({ project: 'acme', user })
  const settle = async () => {
    clock.advance(600_000)
    return memory.upkeep.run()
  }
  return { clock, memory, acme, ada: of('ada'), bob: of('bob'), settle }
}

test('nothing is shared by default; what is, is what a person said in sessions begun after the switch', async () => {
  const { clock, acme, ada, bob, settle } = await shared()
  await ada.append('before', { role: 'user', content: 'The boiler code of the old hut is 4711.' })
  await settle()
  expect((await acme.bank.render()).text).toBe('')
  expect(await acme.bank.sharing()).toMatchObject({ on: false, notice: expect.stringContaining('every member') })
  expect(await acme.bank.setSharing(true)).toMatchObject({ on: true, since: clock.now() })
  clock.advance(1)
  await ada.append('plan', [
    { role: 'user', name: 'Ada', content: 'The lighthouse tour needs 36 head torches from Nordlicht.' },
    { role: 'assistant', content: 'The assistant alone says that Zanzibar is cheap.' },
    { role: 'tool', content: 'tool output: 99 bottles of Quetzal' },
  ])
  await settle()
  const { text } = await acme.bank.render()
  expect(text).toContain('36 head torches from Nordlicht')
  for (const kept of ['4711', 'Zanzibar', 'Quetzal', 'plan']) expect(text).not.toContain(kept)
  expect((await bob.context({ query: 'torches' })).text).toContain('36 head torches from Nordlicht')
  expect((await bob.recall('torches', { kinds: ['message', 'gist', 'bank'] })).hits).toMatchObject([{ kind: 'bank', shared: true, lineage: [] }])
  expect((await acme.bank.search('torches', { limit: 2 })).hits.map(({ kind }) => kind).toSorted()).toEqual(['bank', 'message'])
  expect((await acme.bank.search('boiler code')).hits).toEqual([])
  expect((await acme.bank.entries())[0]).not.toHaveProperty('session')
})

test('a back-fill needs the notice acknowledged, and then takes in what was said before', async () => {
  const { acme, ada, settle } = await shared()
  await ada.append('before', { role: 'user', content: 'The ferry to Hven leaves at 7:40 on Sundays.' })
  expect(await rejection(acme.bank.setSharing(true, { backfill: true }))).toBeInstanceOf(InvalidOption)
  expect(await acme.bank.sharing()).toMatchObject({ on: false })
  expect(await acme.bank.setSharing(true, { backfill: true, acknowledge: true })).toMatchObject({ on: true, since: 0 })
  await settle()
  expect((await acme.bank.render()).text).toContain('ferry to Hven')
})

test('a session, or all of a member, is kept out, and what was shared before is withdrawn', async () => {
  const { clock, acme, ada, bob, settle } = await shared()
  await acme.bank.setSharing(true)
  clock.advance(1)
  await bob.settings.set({ share: false })
  await ada.append('one', { role: 'user', content: 'The goat cheese comes from Hjelm.' })
  await ada.append('two', { role: 'user', content: 'The oat milk comes from Samsø.' })
  await bob.append('three', { role: 'user', content: 'The rye bread comes from Læsø.' })
  await bob.sessions.ensure('four', { share: true })
  await bob.append('four', { role: 'user', content: 'The plum jam comes from Ærø.' })
  await settle()
  const shown = async () => ['Hjelm', 'Samsø', 'Læsø', 'Ærø'].filter(((text) => (word: string) => text.includes(word))((await acme.bank.render()).text))
  expect(await shown()).toEqual(['Hjelm', 'Samsø', 'Ærø'])
  await ada.sessions.share('one', false)
  expect(await shown()).toEqual(['Samsø', 'Ærø'])
  expect((await acme.bank.search('goat cheese')).hits).toEqual([])
  expect(await bob.settings.get()).toEqual({ share: false })
  const off = await acme.bank.setSharing(false)
  expect(off.receipt?.counts).toEqual({ bank: 2 })
  expect(await shown()).toEqual([])
  clock.advance(1)
  await acme.bank.setSharing(true)
  clock.advance(1)
  await ada.append('five', { role: 'user', content: 'The honey comes from Møn and Hjelm.' })
  await settle()
  expect(await shown()).toEqual(['Hjelm'])
  expect((await acme.bank.entries()).length).toBe(1)
})

test("one member's conversations of a day do not fill everybody's bank", async () => {
  const { clock, acme, ada, bob, settle } = await shared()
  await acme.bank.setSharing(true)
  clock.advance(1)
  for (let session = 0; session < 25; session += 1) await ada.append(`s${session}`, { role: 'user', content: `Parcel ${session} goes to Porto by truck ${session}.` })
  await bob.append('own', { role: 'user', content: 'The regatta starts at nine in Svendborg.' })
  await settle()
  expect((await acme.bank.stats()).entries.conversation).toBe(21)
  expect((await acme.bank.render()).text).toContain('Svendborg')
})
