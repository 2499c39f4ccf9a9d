import { describe, expect, test } from 'vitest'
import { InvalidOption } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { distilling, modelName } from '../fixtures/distil/open.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

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

/** Makes two conversations that their member shares; `goat` is the id of the entry of the first. */
async function sharedFood() {
  const it = await shared()
  const { clock, acme, ada, settle } = it
  await acme.bank.setSharing(true)
  clock.advance(1)
  await ada.append('one', { role: 'user', content: 'The goat cheese comes from Hjelm.' })
  await ada.append('two', { role: 'user', content: 'The oat milk comes from Samsø.' })
  await settle()
  return { ...it, goat: (await acme.bank.entries()).find(({ bullets }) => bullets.join(' ').includes('Hjelm'))?.id ?? '' }
}

// requirement: BANK-1, BANK-4, BANK-7
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
  await ada.append('before', { role: 'user', content: 'The boiler code of the new hut is 4712.' })
  await settle()
  const { text } = await acme.bank.render()
  expect(text).toContain('36 head torches from Nordlicht')
  for (const kept of ['4711', '4712', 'Zanzibar', 'Quetzal', 'plan']) expect(text).not.toContain(kept)
  expect((await bob.context({ query: 'torches' })).text).toContain('36 head torches from Nordlicht')
  expect((await bob.recall('torches', { kinds: ['message', 'gist', 'bank'] })).hits).toMatchObject([
    { kind: 'bank', shared: true, lineage: [] },
  ])
  expect((await acme.bank.search('torches', { limit: 2 })).hits.map(({ kind }) => kind).toSorted()).toEqual(['bank', 'message'])
  expect((await acme.bank.search('boiler code')).hits).toEqual([])
  expect((await acme.bank.entries())[0]).not.toHaveProperty('session')
})

test('what a member said next to what is asked for is found among what is shared', async () => {
  const { clock, acme, ada, settle } = await shared()
  await acme.bank.setSharing(true)
  clock.advance(1)
  await ada.append(
    'plan',
    ['The herons nest again.', 'Nobody may moor there until July.'].map((content) => ({ role: 'user' as const, content })),
  )
  await settle()
  const { hits } = await acme.bank.search('herons')
  expect(hits.filter(({ kind }) => kind === 'message').map(({ text }) => text)).toEqual([
    'The herons nest again.',
    'Nobody may moor there until July.',
  ])
})

// requirement: BANK-2
test('a back-fill needs the notice acknowledged, and then takes in what was said before', async () => {
  const { acme, ada, settle } = await shared()
  await ada.append('before', { role: 'user', content: 'The ferry to Hven leaves at 7:40 on Sundays.' })
  expect(await rejection(acme.bank.setSharing(true, { backfill: true }))).toBeInstanceOf(InvalidOption)
  expect(await acme.bank.sharing()).toMatchObject({ on: false })
  expect(await acme.bank.setSharing(true, { backfill: true, acknowledge: true })).toMatchObject({ on: true, since: 0 })
  await settle()
  expect((await acme.bank.render()).text).toContain('ferry to Hven')
})

test('switched off where nothing was ever shared, or with an option that is not known, it changes nothing', async () => {
  const { memory, acme } = await shared()
  expect(await memory.project('typo').bank.setSharing(false)).toMatchObject({ on: false })
  expect(await memory.projects.list()).toEqual([])
  for (const flaw of ['{"backfil":true,"acknowledge":true}', 'null'])
    expect(await rejection(acme.bank.setSharing(true, JSON.parse(flaw))), flaw).toBeInstanceOf(InvalidOption)
  expect(await acme.bank.sharing()).toMatchObject({ on: false })
})

// requirement: BANK-3
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
  const shown = async () =>
    ['Hjelm', 'Samsø', 'Læsø', 'Ærø'].filter(
      (
        (text) => (word: string) =>
          text.includes(word)
      )((await acme.bank.render()).text),
    )
  expect(await shown()).toEqual(['Hjelm', 'Samsø', 'Ærø'])
  await ada.sessions.share('one', false)
  expect(await shown()).toEqual(['Samsø', 'Ærø'])
  expect((await acme.bank.search('goat cheese')).hits).toEqual([])
  expect(withoutVersion(await bob.settings.get())).toEqual({ share: false })
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

test('documents of the project are found also when nothing is shared any more', async () => {
  const { memory, acme } = await shared()
  const { documents } = memory.project('acme')
  await acme.bank.setSharing(true)
  await documents.edit('Rules', '- hang the oars up\n')
  expect(await acme.bank.setSharing(false)).toMatchObject({ on: false, receipt: { counts: { bank: 0 } } })
  expect(await documents.recollect('oars')).toMatchObject([{ name: 'Rules' }])
})

test('what was shared is withdrawn by whichever switch, with its words, and nothing that the other members fed', async () => {
  const { clock, memory, acme, ada, bob, settle } = await shared()
  await acme.bank.setSharing(true)
  clock.advance(1)
  await ada.append('one', { role: 'user', content: 'The goat cheese comes from Hjelm.' })
  await ada.append('two', { role: 'user', content: 'The oat milk comes from Samsø.' })
  await ada.sessions.ensure('three', { share: true })
  await ada.append('three', { role: 'user', content: 'The rye bread comes from Læsø.' })
  await bob.append('four', { role: 'user', content: 'The plum jam comes from Ærø.' })
  await settle()
  const shown = async () =>
    ['Hjelm', 'Samsø', 'Læsø', 'Ærø'].filter(
      (
        (text) => (word: string) =>
          text.includes(word)
      )((await acme.bank.render()).text),
    )
  expect(await shown()).toEqual(['Hjelm', 'Samsø', 'Læsø', 'Ærø'])
  expect(await ada.sessions.ensure('one', { share: false })).toMatchObject({
    id: 'one',
    receipt: { counts: { bank: 1 }, physical: 'done' },
  })
  expect(await shown()).toEqual(['Samsø', 'Læsø', 'Ærø'])
  // It withdraws the rest of hers: the sessions that she did not name.
  expect(await ada.settings.set({ share: false })).toMatchObject({ share: false, receipt: { counts: { bank: 1 }, physical: 'done' } })
  expect(await shown()).toEqual(['Læsø', 'Ærø'])
  expect((await acme.bank.search('goat cheese and oat milk')).hits).toEqual([])
  await settle()
  expect(await shown()).toEqual(['Læsø', 'Ærø'])
  const counts = async () => (await memory.receipts.list()).map((receipt) => ({ counts: receipt.counts, physical: receipt.physical }))
  expect(await counts()).toEqual([
    { counts: { bank: 1 }, physical: 'done' },
    { counts: { bank: 1 }, physical: 'done' },
  ])
  // A second call has nothing to withdraw. Switched back on, the session is read again.
  expect(withoutVersion(await ada.settings.set({ share: false }))).toEqual({ share: false })
  expect((await counts()).length).toBe(2)
  await ada.settings.set({ share: true })
  await settle()
  expect(await shown()).toEqual(['Samsø', 'Læsø', 'Ærø'])
})

// requirement: BANK-5
test("one member's conversations of a day do not fill everybody's bank", async () => {
  const { clock, acme, ada, bob, settle } = await shared()
  await acme.bank.setSharing(true)
  clock.advance(1)
  for (let session = 0; session < 25; session += 1)
    await ada.append(`s${session}`, { role: 'user', content: `Parcel ${session} goes to Porto by truck ${session}.` })
  await bob.append('own', { role: 'user', content: 'The regatta starts at nine in Svendborg.' })
  await settle()
  expect((await acme.bank.stats()).entries.conversation).toBe(21)
  expect((await acme.bank.render()).text).toContain('Svendborg')
})

describe('what a project no longer shares', () => {
  test.each(['rebuild', 'forget', 'replace'] as const)('%s: what stands is withdrawn too, before it is read again', async (what) => {
    const { clock, acme, ada, settle } = await shared()
    await acme.bank.setSharing(true)
    clock.advance(1)
    await ada.append(
      'one',
      ['The goat cheese comes from Hjelm.', 'The oat milk comes from Samsø.', 'The rye bread comes from Læsø.'].map((content) => ({
        role: 'user' as const,
        content,
      })),
    )
    await settle()
    const [first] = await ada.messages('one', { limit: 1, before: 2 })
    if (what === 'rebuild') await acme.bank.rebuild()
    else if (what === 'forget') await ada.forget({ messages: [first?.id ?? ''] })
    else await ada.replace(first?.id ?? '', 'The goat cheese comes from Endelave.')
    await ada.settings.set({ share: false })
    const left = async () => [(await acme.bank.render()).text, (await acme.bank.search('oat milk and rye bread')).hits]
    expect(await left()).toEqual(['', []])
    await settle()
    expect(await left()).toEqual(['', []])
  })

  test.each(['delete', 'clear'] as const)('%s takes the messages out of its search too, for good', async (what) => {
    const { acme, ada, settle, goat } = await sharedFood()
    expect((await (what === 'clear' ? acme.bank.clear() : acme.bank.delete(goat))).counts).toEqual({ bank: what === 'clear' ? 2 : 1 })
    for (const _ of [1, 2]) {
      expect((await acme.bank.search('goat cheese from Hjelm', { limit: 5 })).hits.filter(({ text }) => text.includes('Hjelm'))).toEqual([])
      expect((await acme.bank.render()).text.includes('Samsø')).toBe(what === 'delete')
      await settle()
    }
    expect((await ada.recall('goat cheese')).hits.length).toBeGreaterThan(0)
  })
})

test.each(['user', 'project'] as const)(
  'what was deleted stays so when sharing of the %s is switched off and on again; a rebuild brings it back',
  async (whose) => {
    const { acme, ada, settle, goat } = await sharedFood()
    await acme.bank.delete(goat)
    for (const on of [false, true]) {
      if (whose === 'project') await acme.bank.setSharing(on, on ? { backfill: true, acknowledge: true } : {})
      else await ada.settings.set({ share: on })
      await settle()
    }
    const told = async () =>
      ['Hjelm', 'Samsø'].filter(
        (
          (text) => (word: string) =>
            text.includes(word)
        )((await acme.bank.render()).text),
      )
    const found = async () =>
      (await acme.bank.search('goat cheese from Hjelm', { limit: 5 })).hits.filter(({ text }) => text.includes('Hjelm')).length
    expect([await told(), await found()]).toEqual([['Samsø'], 0])
    await acme.bank.rebuild()
    await settle()
    expect([await told(), await found()]).toEqual([['Hjelm', 'Samsø'], 2])
  },
)

// requirement: BANK-6
test.each(['extractive', 'model'] as const)(
  'a message that holds a secret is not found by the other members, whatever else it says: %s',
  async (writer) => {
    const { memory, clock } = writer === 'model' ? await distilling({ embeddingModel: false, layers: { gists: false } }) : await shared()
    const [acme, ada] = [memory.project('acme'), memory.for({ project: 'acme', user: 'ada' })]
    await acme.bank.setSharing(true)
    clock.advance(1)
    // The extractive writer is shown the begin and the end of a message; a model is asked about the part that fits its
    // window.
    const filler = 'word '.repeat(writer === 'model' ? 50 : 5_000)
    const key = `sk-proj-${'a1B2c3D4e5'.repeat(5)}`
    await ada.append(
      'one',
      [`The goat cheese comes from Hjelm. ${filler} The api key is ${key}. ${filler}`, 'The oat milk comes from Samsø.'].map((content) => ({
        role: 'user' as const,
        content,
      })),
    )
    clock.advance(600_000)
    await memory.upkeep.run()
    expect((await acme.bank.entries()).map((entry) => entry.writer)).toEqual([writer === 'model' ? modelName : 'extractive'])
    const hits = [
      ...(await acme.bank.search('goat cheese api key')).hits,
      ...(await acme.bank.search(key)).hits,
      ...(await acme.bank.search('oat milk')).hits,
    ]
    expect(JSON.stringify([hits, await acme.bank.entries(), await acme.bank.render()])).not.toContain(key)
    expect(hits.filter(({ kind }) => kind === 'message').map(({ text }) => text)).toContain('The oat milk comes from Samsø.')
  },
)

test('what was said before the switch is not shared, though it is stored after it', async () => {
  const { clock, acme, ada, settle } = await shared()
  await acme.bank.setSharing(true)
  clock.advance(1)
  await ada.append('diary', { role: 'user', content: 'The old hut belongs to Nando.', at: '2024-02-01T10:00:00Z' })
  await ada.append('new', { role: 'user', content: 'The oat milk comes from Samsø.' })
  await settle()
  expect((await acme.bank.render()).text).not.toContain('Nando')
  expect((await acme.bank.render()).text).toContain('Samsø')
  await acme.bank.setSharing(true, { backfill: true, acknowledge: true })
  await settle()
  expect((await acme.bank.render()).text).toContain('Nando')
})
