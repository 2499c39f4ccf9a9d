import { expect, test } from 'vitest'
import type { MessageInput } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const day = 86_400_000
const options = { embeddingModel: false, layers: { gists: true, bank: true } } as const

async function house(writer: 'extractive' | 'model' = 'extractive') {
  const { memory, clock } = writer === 'model' ? await distilling(options) : await openForTestAt(new ManualClock())
  const [acme, ada] = [memory.project('acme'), memory.for({ project: 'acme', user: 'ada' })]
  const say = async (content: string, more: Partial<MessageInput> = {}) => {
    clock.advance(1_000)
    await ada.append('hut', [{ role: 'user', content, ...more }])
  }
  const settle = async () => {
    clock.advance(600_000)
    await memory.upkeep.run({ maxSeconds: 60 })
  }
  /** The words that the project's members may read or find, of some. */
  const shared = async (...words: readonly string[]) => {
    const entries = await acme.bank.entries()
    const hits = (await acme.bank.search(words.join(' '), { limit: 50 })).hits
    const bob = await memory.for({ project: 'acme', user: 'bob' }).context({ query: words.join(' ') })
    const text = [(await acme.bank.render()).text, ...entries.flatMap(({ bullets }) => bullets), ...hits.map((hit) => hit.text), bob.text]
    return words.filter((word) => text.join('\n').includes(word))
  }
  return { memory, clock, acme, ada, say, settle, shared }
}

async function openForTestAt(clock: ManualClock) {
  return { memory: await openForTest({ clock, ...options }), clock }
}

test.each(['extractive', 'model'] as const)(
  'a session from before the switch feeds the shared bank from the moment at which its owner shares it, and nothing before: %s',
  async (writer) => {
    const { acme, ada, clock, say, settle, shared } = await house(writer)
    await say('The boiler came from Odense.')
    await settle()
    await acme.bank.setSharing(true)
    await say('The stove came from Ribe.')
    await settle()
    await say('The kettle came from Vejle.')
    expect(await shared('Odense', 'Ribe', 'Vejle')).toEqual([])
    await ada.sessions.share('hut', true)
    await settle()
    expect(await shared('Odense', 'Ribe', 'Vejle')).toEqual([])
    await say('The ladder came from Skagen.')
    await say('The anchor came from Tønder.')
    await settle()
    expect(await shared('Odense', 'Ribe', 'Vejle', 'Skagen', 'Tønder')).toEqual(['Skagen', 'Tønder'])
    clock.advance(day)
    await say('The lantern came from Horsens.')
    await settle()
    await acme.bank.rebuild()
    await ada.bank.rebuild()
    await settle()
    expect(await shared('Odense', 'Ribe', 'Vejle', 'Skagen', 'Tønder', 'Horsens')).toEqual(['Skagen', 'Tønder', 'Horsens'])
    // The owner's own layers go on to tell all of it.
    const own = await ada.bank.entries({ granularity: 'conversation' })
    expect(own.reduce((sum, { messages }) => sum + messages, 0)).toBe(6)
  },
)

test('the message before the share stays out and the one after it comes in, read in one run or in several, on one day', async () => {
  for (const inOneRun of [true, false]) {
    const { acme, ada, say, settle, shared } = await house()
    await acme.bank.setSharing(true, { backfill: true, acknowledge: true })
    await ada.sessions.ensure('hut', { share: false })
    await say('The last private word is Odense.')
    if (!inOneRun) await settle()
    await ada.sessions.share('hut', true)
    await say('The first shared word is Skagen.')
    await settle()
    expect(await shared('Odense', 'Skagen'), String(inOneRun)).toEqual(['Skagen'])
    const [leaf] = await acme.bank.entries({ granularity: 'conversation' })
    expect(leaf?.messages).toBe(1)
  }
})

test('to share again what was kept out shares what comes from then on', async () => {
  const { acme, ada, clock, say, settle, shared } = await house()
  await acme.bank.setSharing(true)
  clock.advance(1)
  await say('The boiler came from Odense.')
  await settle()
  expect(await shared('Odense')).toEqual(['Odense'])
  // What is shared already stays so.
  await ada.sessions.share('hut', true)
  await settle()
  expect(await shared('Odense')).toEqual(['Odense'])
  await ada.sessions.share('hut', false)
  await say('The stove came from Ribe.')
  await settle()
  await ada.sessions.share('hut', true)
  await ada.sessions.share('hut', true)
  await say('The kettle came from Vejle.')
  await ada.sessions.ensure('hut', { share: true })
  await settle()
  await acme.bank.setSharing(true, { backfill: true, acknowledge: true })
  await settle()
  expect(await shared('Odense', 'Ribe', 'Vejle')).toEqual(['Vejle'])
})

test('a session that was shared by name before the project switched sharing on feeds it from the switch on', async () => {
  const { acme, ada, say, settle, shared } = await house()
  await say('The boiler came from Odense.')
  await ada.sessions.share('hut', true)
  await say('The stove came from Ribe.')
  await acme.bank.setSharing(true)
  await say('The kettle came from Vejle.')
  await settle()
  expect(await shared('Odense', 'Ribe', 'Vejle')).toEqual(['Vejle'])
  await acme.bank.setSharing(false)
  await say('The ladder came from Skagen.')
  await settle()
  await acme.bank.setSharing(true)
  await say('The anchor came from Tønder.')
  await settle()
  expect(await shared('Odense', 'Ribe', 'Vejle', 'Skagen', 'Tønder')).toEqual(['Tønder'])
})

test('after a forget, what was said before the share stays out, and the report tells since when', async () => {
  const { acme, ada, clock, say, settle, shared } = await house()
  await say('The boiler came from Odense.', { id: 'boiler' })
  await acme.bank.setSharing(true)
  clock.advance(day)
  await ada.sessions.share('hut', true)
  await say('The stove came from Ribe.')
  const since = clock.now()
  await say('The kettle came from Vejle.')
  await settle()
  expect((await acme.sharing()).members.find(({ user }) => user === 'ada')).toMatchObject({ since, sessions: 1, entries: 1 })
  const [first, second] = await ada.messages('hut')
  if (second === undefined || first === undefined) throw new TypeError('messages are gone')
  await ada.forget({ messages: [second.id] })
  await settle()
  expect(await shared('Odense', 'Ribe', 'Vejle')).toEqual(['Vejle'])
  await ada.replace(first.id, 'The boiler came from Aarhus.')
  await settle()
  expect(await shared('Odense', 'Aarhus', 'Ribe', 'Vejle')).toEqual(['Vejle'])
  await ada.forget({ session: 'hut' })
  expect(await shared('Odense', 'Aarhus', 'Ribe', 'Vejle')).toEqual([])
  await say('The ladder came from Skagen.')
  await settle()
  expect(await shared('Skagen')).toEqual(['Skagen'])
})

test('digests of a day that is half shared tell of the shared half', async () => {
  const { acme, ada, clock, memory, say, settle, shared } = await house()
  await memory.project('acme').settings.set({ bank: { maxTokens: 200 } })
  await say('The boiler came from Odense.')
  await acme.bank.setSharing(true)
  await ada.sessions.share('hut', true)
  for (let turn = 0; turn < 60; turn += 1) {
    await say(`The load number ${turn} came from Skagen harbour with the ferry, and Grace signed for it.`)
    if (turn % 6 === 5) {
      await settle()
      clock.advance(day)
    }
  }
  clock.advance(10 * day)
  await settle()
  await settle()
  expect((await acme.bank.stats()).entries.day).toBeGreaterThan(0)
  expect(await shared('Odense', 'Skagen')).toEqual(['Skagen'])
})
