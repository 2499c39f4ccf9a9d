import { describe, expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { canary, canaryText, seeded, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const kinds = ['block', 'bank', 'gist'] as const

/** The states of the items of a session's last context: first the blocks. */
async function stateIn(ada: UserMemory, session: string): Promise<readonly string[]> {
  const [last] = await ada.contexts.list({ session })
  return (await ada.contexts.get(last?.id ?? '')).sections.flatMap(({ items }) => items.map(({ state }) => state))
}

describe('what is erased', () => {
  test('a deleted block is in no answer and in no byte beside the store, whatever it said before; its neighbours stand', async () => {
    const store = newStore()
    const memory = await openForTest({ store, embeddingModel: false })
    const ada = memory.for({ project: 'acme', user: 'ada' })
    for (let place = 0; place < 30; place += 1)
      await ada.blocks.set(`stays ${place}`, `stays ${place} ${'ferry kiosk pier '.repeat((place * 37) % 60)}`)
    const [name, ...words] = [canary(), ...[20, 300, 3_000, 20_000].map((length) => canaryText(length))]
    for (const text of words) await ada.blocks.set(name, text, { maxChars: 100_000 })
    await ada.blocks.append(name, canary())
    expect((await ada.recall(words.at(-1)?.slice(0, 60) ?? '', { kinds: ['block'] })).hits[0]?.name).toBe(name)
    await ada.context({ session: 'talk', query: words[0] ?? '' })
    expect(tracesOf([name, ...words], store).length).toBeGreaterThanOrEqual(words.length)
    expect(await ada.blocks.delete(name)).toMatchObject({ counts: { block: 1 }, logical: 'done', physical: 'done' })
    expect(await ada.blocks.get(name)).toBeUndefined()
    expect((await ada.recall(words.at(-1)?.slice(0, 60) ?? '', { kinds: ['block'] })).hits).toEqual([])
    expect(tracesOf([name, ...words], store)).toEqual([])
    expect((await ada.blocks.list()).map(({ name: kept }) => kept)).toEqual(Array.from({ length: 30 }, (_, place) => `stays ${place}`))
    await memory.close()
    expect(tracesOf([name, ...words], store)).toEqual([])
  })

  test('what a block said before the last hundred texts goes from the bytes with it', async () => {
    const store = newStore()
    const ada = (await openForTest({ store, embeddingModel: false })).for('ada')
    const pick = seeded(3)
    const words = Array.from({ length: 180 }, (_, place) => canaryText([30, 90, 400, 1_500, 5_000, 200][(place * 7 + 2) % 6] ?? 30, pick))
    for (const [place, text] of words.entries()) {
      await ada.blocks.set('note', text, { maxChars: 100_000 })
      await ada.blocks.set(`other ${place % 20}`, `filler ${place} ${'pier kiosk '.repeat((place * 37) % 60)}`)
    }
    expect(await ada.blocks.delete('note')).toMatchObject({ physical: 'done' })
    expect(tracesOf(words, store)).toEqual([])
    expect(await ada.blocks.list()).toHaveLength(20)
  })

  test("a session's blocks go with the session, a user's with all of the user, a project's with the project, and no others", async () => {
    const store = newStore()
    const memory = await openForTest({ store, embeddingModel: false })
    const project = canary()
    const [ada, bob] = [memory.for({ project, user: 'ada' }), memory.for({ project, user: 'bob' })]
    const [own, ofTalk, ofOther, his, projects] = Array.from({ length: 5 }, () => canaryText(200))
    await ada.blocks.set('own', own ?? '')
    await ada.blocks.set('of talk', ofTalk ?? '', { session: 'talk' })
    await ada.blocks.set('second of talk', 'x', { session: 'talk' })
    await ada.blocks.set('of other', ofOther ?? '', { session: 'other' })
    await bob.blocks.set('his', his ?? '')
    await memory.project(project).blocks.set('all of us', projects ?? '')
    expect(await ada.previewForget({ session: 'talk' })).toEqual({ message: 0, session: 1, block: 2 })
    expect(await ada.forget({ session: 'talk' })).toMatchObject({ counts: { message: 0, session: 1, block: 2 }, physical: 'done' })
    expect(tracesOf([ofTalk ?? ''], store)).toEqual([])
    expect(await ada.blocks.list({ session: 'other' })).toHaveLength(1)
    expect(await ada.previewForget({ all: true })).toEqual({ message: 0, session: 1, block: 2 })
    expect(await ada.forget({ all: true })).toMatchObject({ counts: { message: 0, session: 1, block: 2 }, physical: 'done' })
    expect(tracesOf([own ?? '', ofOther ?? ''], store)).toEqual([])
    expect((await bob.blocks.list()).map(({ name }) => name)).toEqual(['his', 'all of us'])
    expect(await memory.projects.delete(project)).toMatchObject({ counts: { block: 2, partition: 2 }, physical: 'done' })
    expect(tracesOf([his ?? '', projects ?? '', project], store)).toEqual([])
    expect(await memory.doctor()).toMatchObject({ ok: true })
  })

  test('forgetting messages, by id or by time, leaves blocks alone, and a session without a message keeps its own', async () => {
    const ada = (await openForTest({ embeddingModel: false })).for('ada')
    const { messages } = await ada.append('talk', [
      { role: 'user', content: 'The figs are ripe.' },
      { role: 'user', content: 'The plums are not.' },
    ])
    await ada.blocks.set('own', 'figs')
    await ada.blocks.set('of talk', 'plums', { session: 'talk' })
    expect((await ada.forget({ messages: [messages[0]?.id ?? ''] })).counts).toEqual({ message: 1 })
    expect((await ada.forget({ session: 'talk', before: Date.now() + 1 })).counts).toEqual({ message: 1 })
    expect((await ada.forget({ before: Date.now() + 1 })).counts).toEqual({ message: 0 })
    expect([await ada.blocks.list(), await ada.blocks.list({ session: 'talk' })].map((blocks) => blocks.map(({ text }) => text))).toEqual([
      ['figs'],
      ['plums'],
    ])
    expect((await ada.recall('plums', { kinds: ['block'], session: 'talk' })).hits).toHaveLength(1)
  })

  test("a context that showed a block tells nothing of it once it is deleted, nor does a member's of a shared one", async () => {
    const store = newStore()
    const memory = await openForTest({ store, embeddingModel: false })
    const ada = memory.for({ project: 'acme', user: 'ada' })
    const [session, other] = [canary(), canary()]
    await ada.append('talk', { role: 'user', content: 'The figs are ripe.' })
    await ada.blocks.set('habits', 'Ada waters the figs on Mondays.')
    await ada.context({ session, query: 'figs' })
    expect(await stateIn(ada, session)).toEqual(['shown', 'shown'])
    await ada.blocks.delete('habits')
    expect(await stateIn(ada, session)).toEqual(['gone', 'shown'])
    await memory.project('acme').blocks.set('rules', 'Hang the oars up.')
    await ada.context({ session: other, query: 'oars' })
    expect(await stateIn(ada, other)).toEqual(['shown'])
    await memory.project('acme').blocks.delete('rules')
    expect(await stateIn(ada, other)).toEqual(['gone'])
    await ada.forget({ all: true })
    expect(tracesOf([session, other], store)).toEqual([])
  })
})

describe('what is not', () => {
  test('clearing or rebuilding a bank, and switching sharing on and off, leaves all blocks as they were, found and shown', async () => {
    const clock = new ManualClock()
    const memory = await openForTest({ clock, embeddingModel: false, layers: { gists: true, bank: true } })
    const acme = memory.project('acme')
    const ada = memory.for({ project: 'acme', user: 'ada' })
    await ada.blocks.set('figs', 'Ada waters the figs on Mondays.')
    await acme.blocks.set('shared figs', 'The figs by the pier are for all.')
    await acme.bank.setSharing(true)
    clock.advance(1)
    await ada.blocks.set('talk figs', 'The figs of this talk are dry.', { session: 'talk' })
    await ada.append(
      'talk',
      Array.from({ length: 20 }, (_, line) => ({
        role: 'user' as const,
        content: `We picked ${line + 3} figs on the ${line + 1}th of May, near the pier.`,
      })),
    )
    const look = async () => ({
      blocks: [await ada.blocks.list(), await ada.blocks.list({ session: 'talk' }), await acme.blocks.list()],
      found: (await ada.recall('figs', { kinds: ['block'] })).hits.map(({ name }) => name).toSorted(),
      shown: (await ada.context({ session: 'talk', query: 'figs' })).sections.find(({ tier }) => tier === 'blocks')?.items.length,
    })
    const before = await look()
    expect(before).toMatchObject({ found: ['figs', 'shared figs', 'talk figs'], shown: 3 })
    const settle = async () => {
      clock.advance(600_000)
      await memory.upkeep.run()
    }
    await settle()
    expect((await acme.bank.stats()).entries.conversation).toBe(1)
    expect((await ada.recall('figs', { kinds: [...kinds] })).hits.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]))
    for (const bank of [ada.bank, acme.bank]) {
      await bank.rebuild()
      await settle()
      expect(await look()).toEqual(before)
      expect(Object.keys((await bank.clear()).counts)).toEqual(['bank'])
      expect(await look()).toEqual(before)
    }
    await acme.bank.rebuild()
    await settle()
    const { receipt } = await acme.bank.setSharing(false)
    expect(Object.keys(receipt?.counts ?? {})).toEqual(['bank'])
    expect(await acme.bank.entries()).toEqual([])
    expect(await look()).toEqual(before)
    await ada.settings.set({ share: false })
    await ada.sessions.share('talk', false)
    expect(await look()).toEqual(before)
  })
})
