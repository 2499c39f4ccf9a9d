import { expect, test } from 'vitest'
import { spanMaterial } from '../../packages/varve/src/distil/span.ts'
import {
  InvalidConfiguration,
  InvalidOption,
  type MemoryOptions,
  NotFound,
  openMemory,
  type UserMemory,
} from '../../packages/varve/src/index.ts'
import { executeRead } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { hashedEmbeddingModel, ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

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

// requirement: P4.3, GIST-1, GIST-5, GIST-8
test('a session has its gist once it is settled, dated by the talk, each sentence with the messages that it rests on', async () => {
  const { clock, memory, ada } = await opened()
  const at = clock.now() - 2 * minute
  await talk(ada, 'tour', at)
  expect(await ada.gists.get('tour')).toBeUndefined()
  expect(await ada.gists.pending('tour')).toBe(3)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0, settled: true })
  clock.advance(10 * minute - 1)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0, settled: true })
  clock.advance(1)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1, settled: true })
  const gist = await ada.gists.get('tour')
  expect(gist).toMatchObject({
    session: 'tour',
    at: at + 2 * minute,
    firstAt: at,
    writtenAt: clock.now(),
    messages: 3,
    writer: 'extractive',
    provisional: false,
    lineage: [{ session: 'tour', from: 1, to: 3 }],
  })
  expect(gist?.text).toContain('36 torches from Nordlicht')
  expect(gist?.text).not.toMatch(/thanks/i)
  const restingOn = (words: string) => gist?.sentences.filter(({ text }) => text.includes(words)).map(({ from }) => from)
  expect([restingOn('14 March'), restingOn('180 euros'), restingOn('the rope')]).toEqual([[[1]], [[2]], [[3]]])
  expect(gist?.sentences).toHaveLength(3)
  expect(await ada.gists.pending()).toBe(0)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0 })
})

// requirement: GIST-2
test('twenty new messages make a session due before it is settled, and it is read again when it goes on', async () => {
  const { clock, memory, ada } = await opened()
  const said = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, place) => ({
      role: 'user' as const,
      content: `Crate ${from + place} of lemons goes to Porto by truck ${from + place}.`,
    }))
  await ada.append('long', said(1, 19))
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0 })
  await ada.append('long', said(20, 20))
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1 })
  expect((await ada.gists.get('long'))?.lineage).toEqual([{ session: 'long', from: 1, to: 20 }])
  await ada.append('long', said(21, 95))
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1 })
  expect((await ada.gists.get('long'))?.lineage).toEqual([
    { session: 'long', from: 1, to: 40 },
    { session: 'long', from: 41, to: 80 },
    { session: 'long', from: 81, to: 95 },
  ])
  clock.advance(10 * minute)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 0 })
})

// requirement: GIST-8
test('gists are listed newest talk first, made when asked for, and told apart from what is not there', async () => {
  const { clock, memory, ada } = await opened()
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
  expect(await rejection(ada.gists.pending('never'))).toBeInstanceOf(NotFound)
  expect(await rejection(memory.for('nobody').gists.pending('never'))).toBeInstanceOf(NotFound)
  expect(await memory.for('nobody').gists.pending()).toBe(0)
  expect(await rejection(ada.distil('never'))).toBeInstanceOf(NotFound)
})

// requirement: GIST-6
test('a gist is found by its words and by its meaning, without the session that is going on', async () => {
  const { clock, memory, ada } = await opened({ embeddingModel: hashedEmbeddingModel({ synonyms: [['torches', 'flashlights']] }) })
  await talk(ada, 'tour', clock.now() - 30 * minute)
  await ada.append('cake', { role: 'user', content: 'The plum cake from Tante Erna won the fair in Aalborg.' })
  await ada.distil('tour')
  await ada.distil('cake')
  await memory.upkeep.run()
  const found = await ada.gists.recall('who rents flashlights?')
  expect(found.hits[0]).toMatchObject({
    kind: 'gist',
    session: 'tour',
    writer: 'extractive',
    lineage: [{ session: 'tour', from: 1, to: 3 }],
  })
  expect(found.hits[0]?.signals.map(({ name }) => name)).toContain('meaning')
  expect((await ada.gists.recall('Nordlicht torches', { excludeSession: 'tour' })).hits.map(({ session }) => session)).not.toContain('tour')
  expect((await ada.recall('Nordlicht torches')).hits.every(({ kind }) => kind === 'message')).toBe(true)
  expect((await ada.recall('Nordlicht torches', { kinds: ['message', 'gist'] })).hits.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['message', 'gist']),
  )
  expect(await rejection(ada.recall('x', { kinds: JSON.parse('["rumour"]') }))).toBeInstanceOf(InvalidOption)
})

/** Gives the cosine; not a number when the lengths differ. */
function cosine(one: Float32Array | undefined, other: readonly number[]): number {
  if (one?.length !== other.length) return Number.NaN
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0) / Math.hypot(...other)
}

test('the extractive writer has the vectors of the messages that it reads, by the newest model that made some', async () => {
  const store = newStore()
  const [old, other] = [hashedEmbeddingModel({ dimension: 64 }), hashedEmbeddingModel({ dimension: 96, name: 'other' })]
  const contents = ['The lighthouse tour needs 36 head torches.', 'Nordlicht rents them out until March.']
  for (const embeddingModel of [old, other]) {
    const memory = await openForTest({ store, embeddingModel, layers: { gists: false } })
    const ada = memory.for('ada')
    if (embeddingModel === old)
      await ada.append('tour', [
        ...contents.map((content) => ({ role: 'user' as const, content })),
        { role: 'system', content: 'You are a guide.' },
      ])
    else await ada.append('tour', { role: 'user', content: 'And the ferry to Hven leaves at 7:40.' })
    const connection = openConnection(store)
    const tour = { id: 1, partition_id: 1, external_id: 'tour' }
    const read = () => executeRead(connection, spanMaterial(tour, { from: 1, to: 9 }, 8_000, true)).messages
    if (embeddingModel === old) expect(read().map(({ vector }) => vector)).toEqual([undefined, undefined])
    await memory.upkeep.run()
    const messages = read()
    const { embeddings } = await embeddingModel.doEmbed({ values: messages.map(({ text }) => text) })
    expect(messages.map(({ vector }, at) => cosine(vector, embeddings[at] ?? []))).toEqual(embeddings.map(() => expect.closeTo(1, 5)))
    connection.close()
    await memory.close()
  }
})

test('of what was said four times in other words, a gist without a model says but one, where vectors tell', async () => {
  const ways = [
    'Mira rents 36 torches from Nordlicht',
    'Lena hires 41 lamps at Polarstern',
    'Jule borrows 52 lanterns through Seefeuer',
    'Okka leases 63 beacons via Leuchtwerk',
  ]
  const words = ways.map((way) => way.split(' '))
  const synonyms = Array.from({ length: 6 }, (_, place) => words.map((way) => way[place] ?? ''))
  const others = [
    'The weather on the dyke was windy again',
    'Somebody left the green door of the shed open',
    'The soup tasted better than the week before',
    'The dog slept under the table all day',
    'The grass behind the house is long and yellow',
    'The window in the hall is dirty',
    'The street was empty in the cold evening',
    'The bread from the shop was dry',
  ]
  const said = async (embeddingModel: NonNullable<MemoryOptions['embeddingModel']>) => {
    const { clock, memory, ada } = await opened({ embeddingModel })
    await ada.append(
      'shop',
      [...ways, ...others].map((text) => ({ role: 'user' as const, content: `${text}.` })),
    )
    clock.advance(11 * minute)
    await memory.upkeep.run()
    const text = (await ada.gists.get('shop'))?.text ?? ''
    return ways.filter((way) => text.includes(way)).length
  }
  expect([await said(false), await said(hashedEmbeddingModel({ synonyms }))]).toEqual([4, 1])
})

// requirement: GIST-7
test("a person's gist stays when the session goes on, and goes with what it stands for", async () => {
  const { clock, ada } = await opened()
  await talk(ada, 'tour', clock.now() - 30 * minute)
  const written = await ada.gists.write('tour', 'The tour is settled.\n- 36 torches, from Nordlicht.')
  expect(written).toMatchObject({
    writer: 'person',
    text: 'The tour is settled. 36 torches, from Nordlicht.',
    lineage: [{ session: 'tour', from: 1, to: 3 }],
  })
  await ada.append('tour', { role: 'user', name: 'Ada', content: 'Bob booked the ferry to Hven for 15 March at 7:40.' })
  const gist = await ada.gists.distil('tour')
  expect(gist?.text).toMatch(/^The tour is settled\. 36 torches, from Nordlicht\. .*ferry to Hven/)
  const [first] = await ada.messages('tour', { limit: 1, before: 2 })
  expect((await ada.forget({ messages: [first?.id ?? ''] })).counts).toEqual({ message: 1, gist: 1 })
  expect((await ada.gists.distil('tour'))?.text).not.toContain('settled')
  for (const text of ['', ' \n ', JSON.parse('7'), 'x'.repeat(20_000)])
    expect(await rejection(ada.gists.write('tour', text))).toBeInstanceOf(InvalidOption)
})

test('a gist that is written before anything was said stands for nothing, and all that is said is added to it', async () => {
  const { ada } = await opened()
  await ada.sessions.ensure('plan')
  expect(await ada.gists.write('plan', 'To be planned.')).toMatchObject({ text: 'To be planned.', lineage: [], messages: 0 })
  await ada.append('plan', { role: 'user', name: 'Ada', content: 'Bob booked the ferry to Hven for 15 March at 7:40.' })
  expect(await ada.gists.distil('plan')).toMatchObject({
    text: expect.stringMatching(/^To be planned\. .*ferry to Hven/),
    lineage: [{ session: 'plan', from: 1, to: 1 }],
    messages: 1,
  })
  await ada.forget({ session: 'plan' })
  expect(await rejection(ada.gists.get('plan'))).toBeInstanceOf(NotFound)
})

// requirement: GIST-13, P3.13
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
  const { context: contexts, ...others } = await ada.previewForget({ messages: [first?.id ?? ''] })
  expect(others).toEqual({ message: 1, gist: 1 })
  // The context without a session showed the words too. What the read of the gist showed is noted within a second: it may count.
  expect([2, 3]).toContain(contexts)
  expect((await ada.forget({ messages: [first?.id ?? ''] })).counts).toMatchObject(others)
})

test('layers are switched on and off by the memory and by a project; what is not known is refused', async () => {
  const { clock, memory, ada } = await opened({ layers: { gists: false } })
  await talk(ada, 'tour', clock.now() - 30 * minute)
  await ada.distil('tour')
  expect(await ada.gists.get('tour')).toBeUndefined()
  const acme = memory.project('acme')
  expect(withoutVersion(await acme.settings.set({ layers: { gists: true } }))).toEqual({ layers: { gists: true } })
  clock.advance(10 * minute)
  expect(await memory.upkeep.run()).toMatchObject({ distilled: 1 })
  expect(await ada.gists.get('tour')).toBeDefined()
  for (const settings of [
    '{"layers":{"rumours":true}}',
    '{"layers":true}',
    '{"ceiling":{"calls":-1}}',
    '{"ceiling":{"minutes":1}}',
    '{"bank":{"maxTokens":100}}',
    '{"bank":5}',
    '{"colour":"red"}',
  ]) {
    expect(['OPTION_INVALID', 'CONFIGURATION_INVALID']).toContain(
      Reflect.get(Object(await rejection(acme.settings.set(JSON.parse(settings)))), 'code'),
    )
  }
  expect(withoutVersion(await acme.settings.set({ layers: null }))).toEqual({})
  for (const options of [
    '{"layers":{"rumours":true}}',
    '{"languageModel":"gpt-5"}',
    '{"languageModel":{}}',
    '{"modelWindow":5,"languageModel":{}}',
  ]) {
    expect(await rejection(openMemory({ store: 'memory:', ...JSON.parse(options) }))).toBeInstanceOf(InvalidConfiguration)
  }
})
