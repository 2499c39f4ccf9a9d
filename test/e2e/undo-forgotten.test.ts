import { describe, expect, test } from 'vitest'
import { type Memory, openMemory, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day, settled } from '../fixtures/distil/talk.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'

interface Given {
  readonly memory: Memory
  readonly clock: ManualClock
  readonly ada: UserMemory
  readonly store: string
  readonly secrets: readonly string[]
}

async function settle({ memory, clock }: Pick<Given, 'memory' | 'clock'>): Promise<void> {
  clock.advance(settled)
  await memory.upkeep.run()
}

/** Makes a history of changes by hand, each of whose texts is a canary that nothing shows any more. */
async function changedByHand(): Promise<Given> {
  const [store, clock] = [newStore(), new ManualClock(Date.parse('2026-01-05T09:00:00Z'))]
  const memory = await openForTest({ store, clock, languageModel: false, layers: { gists: true, bank: true }, isolation: 'silent' })
  const ada = memory.for('ada')
  const word = canary()
  await ada.append('talk', [
    { role: 'user', content: `The ferry to ${word} leaves at nine from the north pier.` },
    { role: 'user', content: 'The ferry needs a new rudder before spring.' },
  ])
  for (let at = 0; at < 8; at += 1)
    await ada.append(`other-${at}`, { role: 'user', content: `Barge ${at} stays shut until the ice is gone.` })
  await settle({ memory, clock })
  const written = [canary(), canary(), canary(), canary(), canary()]
  await ada.gists.write('talk', `Mira keeps the ${written[0]}.`)
  await ada.gists.write('talk', `Mira keeps the ${written[1]}.`)
  await ada.gists.restore('talk', 1)
  const leaf = (await ada.bank.entries()).find(({ session }) => session === 'talk')?.id ?? ''
  await ada.bank.correct(leaf, `Mira sells the ${written[2]}.`)
  await ada.bank.correct(leaf, `Mira buys the ${written[3]}.`)
  await ada.bank.restore((await ada.bank.history())[0]?.id ?? '')
  await ada.bank.delete(leaf)
  return { memory, clock, ada, store, secrets: [word, ...written.slice(0, 4)] }
}

const first = async (ada: UserMemory): Promise<string> => (await ada.messages('talk', { limit: 1, before: 2 }))[0]?.id ?? ''

const ways: Record<string, (given: Given) => Promise<unknown>> = {
  session: ({ ada }) => ada.forget({ session: 'talk' }),
  'sessions.delete': ({ ada }) => ada.sessions.delete('talk'),
  before: ({ ada, clock }) => ada.forget({ before: clock.now() + 1 }),
  'before in a session': ({ ada, clock }) => ada.forget({ session: 'talk', before: clock.now() + 1 }),
  messages: async ({ ada }) => ada.forget({ messages: [await first(ada)] }),
  replace: async ({ ada }) => ada.replace(await first(ada), 'The ferry leaves at ten.'),
  all: ({ ada }) => ada.forget({ all: true }),
  'projects.delete': ({ memory }) => memory.projects.delete('default'),
}

describe('what a person changed by hand is forgotten with its messages, also in the files:', () => {
  test.each(Object.entries(ways))('%s', async (_, way) => {
    const given = await changedByHand()
    // The store keeps them, so that they can be restored: else this test could not fail.
    await given.memory.close()
    expect(new Set(tracesOf(given.secrets, given.store).map((trace) => trace.split(' ').at(-1)))).toEqual(new Set(given.secrets))
    const memory = await openMemory({ store: given.store, clock: given.clock, upkeep: 'manual', languageModel: false, isolation: 'silent' })
    await way({ ...given, memory, ada: memory.for('ada') })
    const shown = await memory.for('ada').bank.history()
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(given.secrets.join('|')))
    expect(shown.filter(({ restorable }) => restorable)).toEqual([])
    await memory.close()
    expect(tracesOf(given.secrets, given.store)).toEqual([])
  })

  test('after 30 days, by upkeep', async () => {
    const { memory, clock, ada, store, secrets } = await changedByHand()
    clock.advance(30 * day + 1)
    await memory.upkeep.run()
    expect([await ada.bank.history(), (await ada.gists.revisions('talk')).length]).toEqual([[], 1])
    await memory.close()
    // The message stands, and its gist with its own words.
    expect(tracesOf(secrets.slice(1), store)).toEqual([])
  })

  test('a deletion that forgets', async () => {
    const { memory, ada, store, secrets } = await changedByHand()
    await ada.gists.write('talk', 'Mira keeps her word.')
    await ada.bank.rebuild()
    await memory.upkeep.run()
    const leaf = (await ada.bank.entries()).find(({ session }) => session === 'talk')?.id ?? ''
    await ada.bank.delete(leaf, { forget: true })
    await memory.close()
    expect(tracesOf(secrets.slice(3), store)).toEqual([])
  })
})

describe('a shared bank', () => {
  async function shared() {
    const [store, clock] = [newStore(), new ManualClock()]
    const memory = await openForTest({ store, clock, languageModel: false, embeddingModel: false, layers: { gists: false } })
    const acme = memory.project('acme')
    const of = (user: string): UserMemory => memory.for({ project: 'acme', user })
    await acme.bank.setSharing(true)
    clock.advance(1)
    const word = canary()
    await of('ada').append('one', { role: 'user', content: `The goat cheese comes from ${word}.` })
    await of('bob').append('two', { role: 'user', content: 'The oat milk comes from Samsø.' })
    await settle({ memory, clock })
    const shown = async (): Promise<string[]> =>
      [word, 'Samsø'].filter(
        (
          (text) => (wanted: string) =>
            text.includes(wanted)
        )((await acme.bank.render()).text),
      )
    return { store, memory, clock, acme, word, shown, ada: of('ada'), bob: of('bob') }
  }

  test('is restored by the project alone, with the messages that it finds', async () => {
    const { acme, ada, word, shown } = await shared()
    const found = async () => (await acme.bank.search('goat cheese')).hits.map(({ kind, text }) => `${kind} ${text}`).toSorted()
    const before = await found()
    expect(before).toHaveLength(2)
    const { id } = await acme.bank.clear()
    expect([await shown(), await found(), await ada.bank.history()]).toEqual([[], [], []])
    expect(await rejection(ada.bank.restore(id))).toMatchObject({ code: 'NOT_FOUND' })
    await acme.bank.restore(id)
    expect([await shown(), await found()]).toEqual([[word, 'Samsø'], before])
    expect(JSON.stringify(await acme.bank.history())).not.toMatch(/"session"|"one"|"two"/)
  })

  const withdrawals: Record<string, (it: Awaited<ReturnType<typeof shared>>) => Promise<unknown>> = {
    'settings.set': ({ ada }) => ada.settings.set({ share: false }),
    'sessions.share': ({ ada }) => ada.sessions.share('one', false),
    'bank.withdraw': ({ acme }) => acme.bank.withdraw('ada'),
    'a forget': ({ ada }) => ada.forget({ session: 'one' }),
    'a forget of all': ({ ada }) => ada.forget({ all: true }),
  }

  test.each(Object.entries(withdrawals))('never brings a member’s lines back after the member withdrew: %s', async (how, withdraw) => {
    const it = await shared()
    const { id } = await it.acme.bank.clear()
    await withdraw(it)
    expect(JSON.stringify(await it.acme.bank.history())).not.toContain(it.word)
    await it.acme.bank.restore(id)
    await settle(it)
    expect(await it.shown()).toEqual(['Samsø'])
    await it.memory.close()
    // A withdrawal leaves the member's own message.
    if (how.startsWith('a forget')) expect(tracesOf([it.word], it.store)).toEqual([])
  })

  test('keeps nothing when sharing is switched off', async () => {
    const { acme, word } = await shared()
    const { id } = await acme.bank.clear()
    await acme.bank.setSharing(false)
    await acme.bank.setSharing(true, { backfill: true, acknowledge: true })
    expect(JSON.stringify(await acme.bank.history())).not.toContain(word)
    expect(await rejection(acme.bank.restore(id))).toMatchObject({ code: 'NOT_FOUND' })
  })
})
