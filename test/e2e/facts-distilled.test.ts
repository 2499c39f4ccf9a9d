import { expect, test } from 'vitest'
import type { MemoryOptions } from '../../packages/varve/src/index.ts'
import type { ModelScript } from '../../packages/varve/src/testing/index.ts'
import { distilling, modelName } from '../fixtures/distil/open.ts'
import { hour } from '../fixtures/distil/talk.ts'
import { copied, keysOf } from '../fixtures/distil/writer.ts'
import { messagesOf, readerOf } from '../fixtures/facts/told.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { holds, user } from '../fixtures/scenarios/telling.ts'

const said = [
  user('I live in Porto.', holds('', 'lives in', 'Porto')),
  user('My sister Nuria likes figs.', holds('Nuria', 'likes', 'figs')),
]

async function reading(script: ModelScript, options: MemoryOptions = {}) {
  const it = await distilling({ layers: { gists: true, facts: true }, embeddingModel: false, modelWindow: 32_768, ...options })
  it.play(script)
  return { ...it, ada: it.memory.for('ada') }
}

const objects = (facts: readonly { readonly object: string }[]): string[] => facts.map(({ object }) => object).toSorted()

test('facts and the gist come in one call', async () => {
  const { ada, server } = await reading(readerOf(said))
  await ada.append('talk', messagesOf(said))
  await ada.distil('talk')
  expect(server.count).toBe(1)
  expect(keysOf(server.requests[0] ?? { schema: undefined }).toSorted()).toEqual(['facts', 'gist'])
  expect((await ada.gists.get('talk'))?.text).toContain('Porto')
  const facts = await ada.facts.query({})
  expect(objects(facts)).toEqual(['Porto', 'figs'])
  expect(facts.every(({ writer, sources }) => writer === modelName && sources.length === 1)).toBe(true)
})

test('a bad list of facts is asked for once more by itself, and the gist stays', async () => {
  const good = readerOf(said)
  let asked = 0
  const { ada, server } = await reading((request) => {
    asked += 1
    return asked === 1 ? { object: { ...Object(copied(request).object), facts: 'none that I know of' } } : good(request)
  })
  await ada.append('talk', messagesOf(said))
  await ada.distil('talk')
  expect(server.requests.map((request) => keysOf(request).toSorted())).toEqual([['facts', 'gist'], ['facts']])
  expect((await ada.gists.get('talk'))?.text).toContain('Porto')
  expect(objects(await ada.facts.query({}))).toEqual(['Porto', 'figs'])
})

// requirement: P4.5
test('what no message says is refused and counted, and the rest is kept', async () => {
  const [first, ...others] = said
  const lies = [
    user(
      first?.content ?? '',
      holds('', 'lives in', 'Porto'),
      holds('', 'lives in', 'Lyon', { quote: 'I live in Lyon' }),
      holds('', 'likes', 'oysters'),
    ),
    ...others,
  ]
  const { ada, memory } = await reading(readerOf(lies))
  await ada.append('talk', messagesOf(lies))
  await ada.distil('talk')
  expect(objects(await ada.facts.query({}))).toEqual(['Porto', 'figs'])
  expect(memory.counters().factsRefused).toBe(2)
})

test('a session that grows is not told twice', async () => {
  const more = [user('I like rain.', holds('', 'likes', 'rain'))]
  const { ada, clock } = await reading(readerOf([...said, ...more]))
  await ada.append('talk', messagesOf(said))
  await ada.distil('talk')
  clock.advance(hour)
  await ada.append('talk', messagesOf(more))
  await ada.distil('talk')
  const facts = await ada.facts.query({})
  expect(objects(facts)).toEqual(['Porto', 'figs', 'rain'])
  expect(facts.map(({ sources }) => sources.length)).toEqual([1, 1, 1])
})

// requirement: PART-13
test('what was read while the model was down is withdrawn when it has read it, and asOf still tells it', async () => {
  const { ada, memory, clock, play } = await reading(() => ({ status: 503, headers: { 'retry-after': '1800' }, text: 'down' }))
  await ada.append('talk', { role: 'user', content: 'I live in Porto. I like figs.' })
  clock.advance(hour)
  await memory.upkeep.run()
  const then = clock.now()
  const before = await ada.facts.query({})
  expect(before.length).toBeGreaterThan(0)
  expect(before.every(({ writer }) => writer === 'extractive')).toBe(true)
  play(readerOf([user('I live in Porto. I like figs.', holds('', 'enjoys', 'figs'))]))
  clock.advance(48 * hour)
  for (let turn = 0; turn < 3; turn += 1) await memory.upkeep.run()
  expect((await ada.facts.query({})).map(({ object, writer }) => [object, writer])).toEqual([['figs', modelName]])
  expect(objects(await ada.facts.query({ asOf: then }))).toEqual(objects(before))
})

test('a project that wants no facts has none, and the model is not asked for them', async () => {
  const { ada, memory, server } = await reading(readerOf(said))
  await memory.project('default').settings.set({ layers: { facts: false } })
  await ada.append('talk', messagesOf(said))
  await ada.distil('talk')
  expect(server.requests.flatMap(keysOf)).toEqual(['gist'])
  expect(await ada.facts.query({})).toEqual([])
})

test('what one memory reads another on the same file knows at once', async () => {
  const store = newStore()
  const { ada, clock } = await reading(readerOf(said), { store })
  const other = (await openForTest({ store, clock, embeddingModel: false, languageModel: false })).for('ada')
  await ada.append('talk', messagesOf(said))
  expect(await other.facts.query({})).toEqual([])
  await ada.distil('talk')
  expect(objects(await other.facts.query({}))).toEqual(['Porto', 'figs'])
  expect((await other.facts.recall('figs')).hits[0]?.fact.object).toBe('figs')
})

test('a secret in a message reaches neither the prompt nor a fact', async () => {
  // In two, so that no scanner takes it for one.
  const key = `ghp${'_'}16C7e42F292c6912E7710c838347Ae178B4a`
  const { ada, server } = await reading(readerOf([...said, user(`My token is ${key}.`, holds('', 'has token', key))]))
  await ada.append('talk', [...messagesOf(said), { role: 'user', content: `My token is ${key}.` }])
  await ada.distil('talk')
  expect(server.requests.length).toBeGreaterThan(0)
  expect(JSON.stringify(server.requests)).not.toContain(key.slice(4, 30))
  expect(JSON.stringify(await ada.facts.query({}))).not.toContain(key.slice(4, 30))
  expect(objects(await ada.facts.query({}))).toContain('Porto')
})

test('a message in another language is read and found as any', async () => {
  const german = [
    user('Ich wohne seit Jahren in Lübeck.', holds('', 'lives in', 'Lübeck')),
    user('Я люблю гречку.', holds('', 'likes', 'гречку')),
  ]
  const { ada } = await reading(readerOf(german))
  await ada.append('talk', messagesOf(german))
  await ada.distil('talk')
  expect(objects(await ada.facts.query({ subject: 'I' }))).toEqual(['Lübeck', 'гречку'].toSorted())
  expect((await ada.facts.recall('гречку')).hits[0]?.fact.object).toBe('гречку')
})

// requirement: PART-14
test('of 25 facts in one answer 20 are kept, and five refused and counted', async () => {
  const many = Array.from({ length: 25 }, (_, place) =>
    user(
      `I collect tiles of kiln${String.fromCharCode(97 + place)}.`,
      holds('', 'collects', `tiles of kiln${String.fromCharCode(97 + place)}`),
    ),
  )
  const { ada, memory } = await reading(readerOf(many))
  await ada.append('talk', messagesOf(many))
  await ada.distil('talk')
  expect(await ada.facts.query({ limit: 100 })).toHaveLength(20)
  expect(memory.counters().factsRefused).toBe(5)
})
