import { expect, test } from 'vitest'
import { InvalidConfiguration, InvalidOption, type MemoryOptions, NotFound, openMemory, type UserMemory } from '../../packages/varve/src/index.ts'
import { hashedEmbeddingModel, ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

const minute = 60_000

async function opened(options: MemoryOptions = {}) {
  const clock = new ManualClock()
  const memory = await openForTest({ clock, embeddingModel: false, ...options })
  return { clock, memory, ada: memory.for({ project: 'acme', user: 'ada' }) }
}

async function talk(ada: UserMemory, session: string, at: number): Promise<void> {
  await ada.append(session, [
    { role: 'user', name: 'Ada', content: 'The lighthouse tour on 14 March needs 36 head torches. Bob rents them from Nordlicht.', at },
    { role: 'assistant', content: 'We decided to order 36 torches from Nordlicht for 180 euros.', at: at + minute },
    { role: 'user', name: 'Ada', content: 'Thanks! Who brings the rope?', at: at + 2 * minute },
  ])
}

test('a session has its gist once it is settled, dated by the talk, each sentence with the messages that it rests on', async () => {
  const { clock, memory, ada } = await opened()
  const at = clock.now() - 90 * minute
  await talk(ada, 'tour', at)
  expect(await ada.gists.get('tour')).toBeUndefined()
  expect(await ada.gists.pending('tour')).toBe(3)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0, settled: true })
  clock.advance(10 * minute)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1, settled: true })
  const gist = await ada.gists.get('tour')
  expect(gist).toMatchObject({ session: 'tour', at: at + 2 * minute, firstAt: at, writtenAt: clock.now(), messages: 3, writer: 'extractive', provisional: false, lineage: [{ session: 'tour', from: 1, to: 3 }] })
  expect(gist?.text).toContain('36 torches from Nordlicht')
  expect(gist?.text).not.toMatch(/thanks/i)
  expect(gist?.sentences.every(({ from }) => from.length > 0 && from.every((seq) => seq >= 1 && seq <= 3))).toBe(true)
  expect(await ada.gists.pending()).toBe(0)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0 })
})

test('twenty new messages make a session due before it is settled, and it is read again when it goes on', async () => {
  const { clock, memory, ada } = await opened()
  const said = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => ({ role: 'user' as const, content: `Crate ${from + place} of lemons goes to Porto by truck ${from + place}.` }))
  await ada.append('long', said(1, 19))
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0 })
  await ada.append('long', said(20, 20))
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1 })
  expect((await ada.gists.get('long'))?.lineage).toEqual([{ session: 'long', from: 1, to: 20 }])
  await ada.append('long', said(21, 95))
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1 })
  expect((await ada.gists.get('long'))?.lineage).toEqual([{ session: 'long', from: 1, to: 40 }, { session: 'long', from: 41, to: 80 }, { session: 'long', from: 81, to: 95 }])
  clock.advance(10 * minute)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0 })
})

test('gists are listed newest talk first, made when asked for, and told apart from what is not there', async () => {
  const { clock, ada } = await opened()
  await talk(ada, 'older', clock.now() - 300 * minute)
  await talk(ada, 'newer', clock.now() - 30 * minute)
  expect((await ada.gists.distil('older'))?.session).toBe('older')
  expect((await ada.gists.distil('newer'))?.session).toBe('newer')
  expect((await ada.gists.list()).map(({ session }) => session)).toEqual(['newer', 'older'])
  expect(await ada.gists.list({ limit: 1 })).toHaveLength(1)
  await ada.append('greeting', { role: 'user', content: 'Hi!' })
  expect(await ada.gists.distil('greeting')).toBeUndefined()
  expect(await rejection(ada.gists.get('never'))).toBeInstanceOf(NotFound)
  expect(await rejection(ada.gists.distil('never'))).toBeInstanceOf(NotFound)
  expect(await rejection(ada.distil('never'))).toBeInstanceOf(NotFound)
})

test('a gist is found by its words and by its meaning, without the session that is going on', async () => {
  const { clock, memory, ada } = await opened({ embeddingModel: hashedEmbeddingModel({ synonyms: [['torches', 'flashlights']] }) })
  await talk(ada, 'tour', clock.now() - 30 * minute)
  await ada.append('cake', { role: 'user', content: 'The plum cake from Tante Erna won the fair in Aalborg.' })
  await ada.distil('tour')
  await ada.distil('cake')
  await memory.upkeep.run()
  const found = await ada.gists.recall('who rents flashlights?')
  expect(found.hits[0]).toMatchObject({ kind: 'gist', session: 'tour', writer: 'extractive', lineage: [{ session: 'tour', from: 1, to: 3 }] })
  expect(found.hits[0]?.signals.map(({ name }) => name)).toContain('meaning')
  expect((await ada.gists.recall('Nordlicht torches', { excludeSession: 'tour' })).hits.map(({ session }) => session)).not.toContain('tour')
  expect((await ada.recall('Nordlicht torches')).hits.every(({ kind }) => kind === 'message')).toBe(true)
  expect((await ada.recall('Nordlicht torches', { kinds: ['message', 'gist'] })).hits.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['message', 'gist']))
  expect(await rejection(ada.recall('x', { kinds: JSON.parse('["fact"]') }))).toBeInstanceOf(InvalidOption)
})

test("a person's gist stays when the session goes on, and goes with what it stands for", async () => {
  const { clock, ada } = await opened()
  await talk(ada, 'tour', clock.now() - 30 * minute)
  const written = await ada.gists.write('tour', 'The tour is settled.\n- 36 torches, from Nordlicht.')
  expect(written).toMatchObject({ writer: 'person', text: 'The tour is settled. 36 torches, from Nordlicht.', lineage: [{ session: 'tour', from: 1, to: 3 }] })
  await ada.append('tour', { role: 'user', name: 'Ada', content: 'Bob booked the ferry to Hven for 15 March at 7:40.' })
  const gist = await ada.gists.distil('tour')
  expect(gist?.text).toMatch(/^The tour is settled\. 36 torches, from Nordlicht\. .*ferry to Hven/)
  const [first] = await ada.messages('tour', { limit: 1, before: 2 })
  expect((await ada.forget({ messages: [first?.id ?? ''] })).counts).toEqual({ message: 1, gist: 1 })
  expect((await ada.gists.distil('tour'))?.text).not.toContain('settled')
  for (const text of ['', ' \n ', JSON.parse('7'), 'x'.repeat(20_000)]) expect(await rejection(ada.gists.write('tour', text))).toBeInstanceOf(InvalidOption)
})

test('context shows what other sessions were about, dated by the talk; forgetting drops the contexts that showed it', async () => {
  const { clock, ada } = await opened()
  await ada.sessions.ensure('tour', { name: 'The tour' })
  await talk(ada, 'tour', clock.now() - 3 * 24 * 60 * minute)
  await ada.distil('tour')
  await ada.append('now', { role: 'user', content: 'How many torches did we order?' })
  const context = await ada.context({ session: 'now', query: 'How many torches did we order?', maxTokens: 1_000 })
  const section = context.sections.find(({ tier }) => tier === 'gists')
  expect(section?.text).toContain('2026-01-02 The tour: ')
  expect(section?.items.map(({ id }) => id)).toEqual([(await ada.gists.get('tour'))?.id])
  expect(context.tokens).toBeLessThanOrEqual(1_000)
  expect((await ada.context({ query: 'torches', tiers: { gists: { limit: 0 } } })).sections.map(({ tier }) => tier)).not.toContain('gists')
  const [first] = await ada.messages('tour', { limit: 1, before: 2 })
  expect((await ada.forget({ messages: [first?.id ?? ''] })).counts).toEqual({ message: 1, gist: 1, context: 1 })
})

test('layers are switched on and off by the memory and by a project; what is not known is refused', async () => {
  const { clock, memory, ada } = await opened({ layers: { gists: false } })
  await talk(ada, 'tour', clock.now() - 30 * minute)
  await ada.distil('tour')
  expect(await ada.gists.get('tour')).toBeUndefined()
  const acme = memory.project('acme')
  expect(await acme.settings.set({ layers: { gists: true } })).toEqual({ layers: { gists: true } })
  clock.advance(10 * minute)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1 })
  expect(await ada.gists.get('tour')).toBeDefined()
  for (const settings of ['{"layers":{"facts":true}}', '{"layers":true}', '{"ceiling":{"calls":-1}}', '{"ceiling":{"minutes":1}}', '{"bank":{"maxTokens":100}}', '{"bank":5}', '{"colour":"red"}']) {
    expect(['OPTION_INVALID', 'CONFIGURATION_INVALID']).toContain(Reflect.get(Object(await rejection(acme.settings.set(JSON.parse(settings)))), 'code'))
  }
  expect(await acme.settings.set({ layers: null })).toEqual({})
  for (const options of ['{"layers":{"facts":true}}', '{"languageModel":"gpt-5"}', '{"languageModel":{}}', '{"modelWindow":5,"languageModel":{}}']) {
    expect(await rejection(openMemory({ store: 'memory:', ...JSON.parse(options) }))).toBeInstanceOf(InvalidConfiguration)
  }
})
