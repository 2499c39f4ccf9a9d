import { InMemoryStore, type BaseStore, type Operation } from '@langchain/langgraph-checkpoint'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RemoteMemory } from '../../packages/varve/src/client/index.ts'
import { varveStore } from '../../packages/varve/src/integrations/langgraph/index.ts'
import { hashedEmbeddingModel } from '../../packages/varve/src/testing/hashed-embedding-model.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { OtherProcess } from './other-process.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })

/** Compiles: LangGraph takes a store of Varve, also one at a server. */
export const atServer = (memory: RemoteMemory): BaseStore => varveStore({ memory, scope: { user: 'ada' } })

function opened() {
  const ada = shared.user()
  return { ada, store: varveStore({ memory: shared.memory, scope: ada.scope }) }
}

/** The SDK's own store, but for namespaces in which nothing is left: it lists them for ever, and Varve erases their names. */
class Oracle extends InMemoryStore {
  override async batch<Op extends readonly Operation[]>(operations: Op) {
    const results = await super.batch(operations)
    const data: unknown = Reflect.get(this, 'data')
    if (data instanceof Map) for (const [name, items] of data) if (items.size === 0) data.delete(name)
    return structuredClone(results)
  }
}

const label = fc.constantFrom('users', 'ada', 'bob', 'memories', 'naïve 🚢', '*', 'langgraph')
const oddLabel = fc.constantFrom('', 'a.b', 'a:b', 'a\0b')
const namespace = fc.oneof(
  { weight: 12, arbitrary: fc.array(label, { minLength: 1, maxLength: 3 }) },
  fc.array(fc.oneof(label, oddLabel), { maxLength: 3 }),
)
const key = fc.constantFrom('one', 'two', '', 'Key three', '["x"]')
const scalar = fc.constantFrom(0, 1, 2.5, '1', 'blue', true, null)
const value = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(scalar, fc.jsonValue({ maxDepth: 2 })))
const wanted = fc.oneof(
  scalar,
  fc.dictionary(
    fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin'),
    fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
    { maxKeys: 2 },
  ),
  fc.constantFrom({ $gt: 1, other: 2 }, []),
)
const filter = fc.dictionary(fc.constantFrom('a', 'b'), wanted, { maxKeys: 2 })

const put = fc.record({ namespace, key, value: fc.oneof({ weight: 4, arbitrary: value }, fc.constant(null)) })
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ namespace, key }),
  put,
  put,
  put.map((one) => ({ ...one, index: false as const })),
  fc.record({ namespacePrefix: fc.oneof(namespace, fc.constant<string[]>([])), filter, limit: fc.constant(1_000) }),
  namespace.map((namespacePrefix) => ({ namespacePrefix, limit: 1_000 })),
  fc.record({
    matchConditions: fc.array(
      fc.record({ matchType: fc.constantFrom('prefix' as const, 'suffix' as const), path: fc.array(label, { maxLength: 2 }) }),
      { maxLength: 2 },
    ),
    maxDepth: fc.constantFrom(1, 2, 5),
    limit: fc.constantFrom(2, 100),
    offset: fc.constantFrom(0, 1),
  }),
)

/** What an answer says, without times, and without the order of found items: the oracle has that of its maps. */
function told(answer: unknown): unknown {
  if (!Array.isArray(answer)) return item(answer)
  return answer.every((one) => Array.isArray(one)) ? answer : answer.map((one) => JSON.stringify(item(one))).sort()
}

function item(one: unknown): unknown {
  if (one === null || typeof one !== 'object') return null
  const { namespace, key, value } = Object(one)
  return { namespace, key, value: JSON.stringify(value) }
}

test('random batches give what the SDK’s own store gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 12 }), async (batches) => {
      const { store } = opened()
      const oracle = new Oracle()
      for (const batch of batches) {
        const [ours, theirs] = await Promise.allSettled([store.batch(batch), oracle.batch(batch)])
        expect(ours.status).toBe(theirs.status)
        if (ours.status === 'fulfilled' && theirs.status === 'fulfilled')
          for (const [at, answer] of ours.value.entries()) expect(told(answer)).toEqual(told(theirs.value[at]))
      }
      expect(told(await store.search([], { limit: 1_000 }))).toEqual(told(await oracle.search([], { limit: 1_000 })))
    }),
    { numRuns: runs(120) },
  )
})

describe('search', () => {
  test('gives the items in the order in which they were first put, page by page', async () => {
    const { store } = opened()
    for (let at = 0; at < 25; at += 1) await store.put(['lamps', at % 2 === 0 ? 'even' : 'odd'], `lamp ${at}`, { at })
    await store.put(['lamps', 'even'], 'lamp 0', { at: 100 })
    const all = await store.search(['lamps'], { limit: 100 })
    expect(new Set(all.map(({ value }) => value['at']))).toEqual(new Set([100, ...Array.from({ length: 24 }, (_, at) => at + 1)]))
    expect(all.map(({ createdAt }) => createdAt.getTime())).toEqual(
      all.map(({ createdAt }) => createdAt.getTime()).toSorted((a, b) => a - b),
    )
    const pages = [
      await store.search(['lamps']),
      await store.search(['lamps'], { offset: 10 }),
      await store.search(['lamps'], { offset: 20 }),
    ]
    expect(pages.flat()).toEqual(all)
    expect(await store.search(['lamps'], { filter: { at: { $gte: 20 } }, limit: 2, offset: 1 })).toEqual(
      all.filter(({ value }) => value['at'] >= 20).slice(1, 3),
    )
    expect(await store.search(['lamp'])).toEqual([])
  })

  test('puts what was planted first, by its words or its meaning, within its prefix and filter', async () => {
    const memory = await openForTest({ embeddingModel: hashedEmbeddingModel({ synonyms: [['boat', 'vessel']] }), languageModel: false })
    const store = varveStore({ memory, scope: { user: 'ada' } })
    for (let at = 0; at < 60; at += 1) await store.put(['facts'], `fact ${at}`, { text: `The lamp number ${at} is lit.`, kind: 'lamp' })
    await store.put(['facts'], 'planted', { text: 'Her vessel lies at the north pier.', kind: 'place' })
    await store.put(['other'], 'planted too', { text: 'Her boat is a vessel.' })
    await memory.upkeep.run()
    const [first, second] = await store.search(['facts'], { query: 'Where is the boat?', limit: 2 })
    expect(first).toMatchObject({ key: 'planted', score: expect.any(Number) })
    expect(second?.namespace).toEqual(['facts'])
    expect((await store.search(['facts'], { query: 'pier', filter: { kind: 'place' } })).map(({ key }) => key)).toEqual(['planted'])
    expect(await store.search(['facts'], { query: 'pier', limit: 100 })).toHaveLength(61)
  })

  test('finds nothing in an item that was put with index: false, and only the named paths of another', async () => {
    const { store } = opened()
    await store.put(['a'], 'hidden', { text: 'heliotrope' }, false)
    await store.put(['a'], 'partly', { title: 'marigold', chapters: [{ text: 'wisteria' }, { text: 'foxglove' }], note: 'snowdrop' }, [
      'title',
      'chapters[*].text',
    ])
    const found = async (query: string) =>
      (await store.search(['a'], { query })).filter(({ score }) => score !== undefined).map(({ key }) => key)
    expect(await found('heliotrope')).toEqual([])
    for (const word of ['marigold', 'wisteria', 'foxglove']) expect(await found(word), word).toEqual(['partly'])
    expect(await found('snowdrop')).toEqual([])
    expect((await store.get(['a'], 'hidden'))?.value).toEqual({ text: 'heliotrope' })
  })
})

describe('an item', () => {
  test('keeps its time of creation, gets one of its change, and is the caller’s own copy', async () => {
    const { store } = opened()
    const value = { list: [1] }
    await store.put(['a'], 'k', value)
    value.list.push(2)
    const before = await store.get(['a'], 'k')
    await store.put(['a'], 'k', { list: [3] })
    const after = await store.get(['a'], 'k')
    expect(before?.value).toEqual({ list: [1] })
    expect(after?.createdAt).toEqual(before?.createdAt)
    expect(after?.updatedAt.getTime()).toBeGreaterThanOrEqual(before?.updatedAt.getTime() ?? Number.NaN)
    expect(after?.updatedAt).toBeInstanceOf(Date)
  })

  test.each([
    ['nothing', {}],
    ['odd texts', { 'a\ud800': ['\ud800', '\0', '', '\u2028'], n: -0, deep: [[[{ x: null }]]] }],
    ['bytes', { bytes: new Uint8Array([1, 255]) }],
    ['much', { text: 'word '.repeat(300_000) }],
  ])('of %s comes back as it is', async (_, value) => {
    const { store } = opened()
    await store.put(['a'], 'k', value)
    expect((await store.get(['a'], 'k'))?.value).toEqual(value)
  })

  test.each([undefined, null, 5, ['one']])('under the key %j is refused: nobody could read or delete it', async (name) => {
    const { ada, store } = opened()
    const put = { namespace: ['users'], value: { text: 'The locker is 4417.' }, ...Object({ key: name }) }
    await expect(store.batch([put])).rejects.toThrow(/key must be a text/)
    await expect(store.batch([{ ...put, value: null }])).rejects.toThrow(/key must be a text/)
    expect(await ada.timeline({ limit: 10 })).toEqual([])
  })

  test('of more than 4 MiB is refused, and the one before it stands', async () => {
    const { store } = opened()
    await store.put(['a'], 'k', { text: 'small' })
    await expect(store.put(['a'], 'k', { text: 'word '.repeat(900_000) })).rejects.toMatchObject({ code: 'MESSAGE_INVALID' })
    expect((await store.get(['a'], 'k'))?.value).toEqual({ text: 'small' })
  })

  test('that was overwritten or deleted is nowhere in the memory any more', async () => {
    const { ada, store } = opened()
    await store.put(['a'], 'k', { text: 'the first heliotrope' })
    await store.put(['a'], 'k', { text: 'the second marigold' })
    await store.put(['b'], 'k', { text: 'wisteria' })
    const lines = async () => (await Array.fromAsync(ada.export())).join('')
    expect(await lines()).not.toContain('heliotrope')
    expect(await lines()).toContain('marigold')
    await store.delete(['a'], 'k')
    await store.batch([{ namespace: ['b'], key: 'k', value: null }])
    expect(await lines()).not.toMatch(/marigold|wisteria/)
    expect((await ada.recall('marigold wisteria', { minConfidence: 0 })).hits).toEqual([])
    expect(await store.listNamespaces()).toEqual([])
  })

  test('goes with all that the user said, and with the project', async () => {
    const { ada, store } = opened()
    await store.put(['a'], 'k', { text: 'heliotrope' })
    await ada.forget({ all: true })
    expect(await store.get(['a'], 'k')).toBeNull()
    await store.put(['a'], 'k', { text: 'marigold' })
    expect((await store.get(['a'], 'k'))?.value).toEqual({ text: 'marigold' })
    await shared.memory.projects.delete(ada.scope.project)
    expect(await store.search([])).toEqual([])
  })

  test('comes along in an export', async () => {
    const { ada, store } = opened()
    await store.put(['a', 'b'], 'k', { text: 'heliotrope', n: [1] })
    const bob = shared.user()
    await bob.import((await Array.fromAsync(ada.export())).join(''), { accept: true })
    const other = varveStore({ memory: shared.memory, scope: bob.scope })
    expect((await other.get(['a', 'b'], 'k'))?.value).toEqual({ text: 'heliotrope', n: [1] })
  })

  test('makes no layer, and is known to a context', async () => {
    const { ada, store } = opened()
    await store.put(['a'], 'food', { text: 'I am allergic to sesame.' })
    await shared.memory.upkeep.run()
    expect([...(await ada.facts.list()), ...(await ada.gists.list())]).toEqual([])
    expect((await ada.context({ query: 'sesame', maxTokens: 500 })).text).toContain('allergic to sesame')
  })
})

describe('users', () => {
  const byFirst = () => {
    const { project } = shared.user().scope
    return {
      project,
      store: varveStore({ memory: shared.memory, scope: ([user]: readonly (string | undefined)[]) => ({ project, user: user ?? '' }) }),
    }
  }

  test('by the first label of a namespace never see each other’s items', async () => {
    const { store } = byFirst()
    await store.batch([
      { namespace: ['ada', 'memories'], key: 'k', value: { text: 'Ada likes soup.' } },
      { namespace: ['bob', 'memories'], key: 'k', value: { text: 'Bob likes bread.' } },
    ])
    const [ada, bob] = await store.batch([{ namespacePrefix: ['ada'], query: 'likes' }, { namespacePrefix: ['bob'] }])
    expect(ada?.map(({ value }) => value['text'])).toEqual(['Ada likes soup.'])
    expect(bob?.map(({ value }) => value['text'])).toEqual(['Bob likes bread.'])
    expect(await store.listNamespaces({ prefix: ['ada'] })).toEqual([['ada', 'memories']])
    for (const across of [() => store.search([]), () => store.listNamespaces(), () => store.listNamespaces({ suffix: ['memories'] })])
      await expect(across()).rejects.toMatchObject({ code: 'SCOPE_INVALID' })
    expect(await store.listNamespaces({ prefix: ['*'] })).toEqual([])
    await store.delete(['ada', 'memories'], 'k')
    expect(await store.get(['bob', 'memories'], 'k')).not.toBeNull()
  })

  test('of a scope without a name are refused, and none becomes the anonymous one', async () => {
    const { project } = shared.user().scope
    const nobody: (namespace: readonly string[]) => { project: string } = () => Object.assign({ project }, { user: undefined })
    const store = varveStore({ memory: shared.memory, scope: nobody })
    await expect(store.put(['a'], 'k', { text: 'x' })).rejects.toMatchObject({ code: 'SCOPE_INVALID' })
    expect(await varveStore({ memory: shared.memory, scope: { project } }).search([])).toEqual([])
  })

  test('have their items apart, though their stores have the same namespaces', async () => {
    const [one, other] = [opened(), opened()]
    await one.store.put(['a'], 'k', { text: 'mine' })
    expect(await other.store.get(['a'], 'k')).toBeNull()
    expect(await other.store.search([], { query: 'mine' })).toEqual([])
    await other.store.delete(['a'], 'k')
    expect(await one.store.get(['a'], 'k')).not.toBeNull()
  })
})

describe('at once', () => {
  test('many puts of one key in one process leave the last one, and one message', async () => {
    const { ada, store } = opened()
    const second = varveStore({ memory: shared.memory, scope: ada.scope })
    await Promise.all(Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? store : second).put(['a'], 'k', { at })))
    const [one, other] = [await store.get(['a'], 'k'), await second.get(['a'], 'k')]
    expect(one).toEqual(other)
    await store.put(['a'], 'k', { at: 'last' })
    expect(await second.get(['a'], 'k')).toMatchObject({ value: { at: 'last' } })
    expect(await ada.messages('langgraph')).toHaveLength(1)
  })

  test('two processes see each other’s puts, overwrites and deletions', async () => {
    const path = newStore()
    const memory = await openForTest({ store: path, embeddingModel: false, languageModel: false })
    const ours = varveStore({ memory, scope: { project: 'pier', user: 'ada' } })
    await ours.put(['a'], 'k', { from: 'ours' })
    const other = await OtherProcess.start(path)
    const theirs = async (name: string, ...args: unknown[]) => other.store(name, ...args)
    const atTheirs = async () => {
      for (let at = 0; at < 5; at += 1) {
        await theirs('put', ['a'], `other ${at}`, { theirs: at })
        await theirs('put', ['a'], 'k', { theirs: at })
      }
    }
    await Promise.all([atTheirs(), ...Array.from({ length: 5 }, (_, at) => ours.put(['a'], 'k', { ours: at }))])
    expect(await ours.search(['a'], { limit: 100 })).toHaveLength(6)
    expect(JSON.parse(JSON.stringify(await ours.get(['a'], 'k')))).toEqual(await theirs('get', ['a'], 'k'))
    await theirs('delete', ['a'], 'k')
    expect(await ours.get(['a'], 'k')).toBeNull()
    expect(await ours.search(['a'], { limit: 100 })).toHaveLength(5)
    await ours.put(['a'], 'k', { again: true })
    expect(await theirs('get', ['a'], 'k')).toMatchObject({ value: { again: true } })
    expect(await memory.for({ project: 'pier', user: 'ada' }).messages('langgraph')).toHaveLength(6)
  })
})

test('an overwritten item whose erasure was cut off is not read, and goes with the next change', async () => {
  const ada = shared.user()
  const fails = () => Promise.reject(new TypeError('the process ended'))
  const ended = varveStore({ memory: { for: () => Object.assign(Object.create(ada), { forget: fails }) }, scope: ada.scope })
  await ended.put(['a'], 'k', { text: 'heliotrope' })
  await expect(ended.put(['a'], 'k', { text: 'marigold' })).rejects.toThrow('the process ended')
  const store = varveStore({ memory: shared.memory, scope: ada.scope })
  expect((await store.search([])).map(({ value }) => value)).toEqual([{ text: 'marigold' }])
  expect(await ada.messages('langgraph')).toHaveLength(2)
  await store.put(['b'], 'k', { text: 'wisteria' })
  expect((await ada.messages('langgraph')).map(({ content }) => content)).toEqual(['text: marigold', 'text: wisteria'])
})

test('messages of others in its session are no items, and stay', async () => {
  const { ada, store } = opened()
  await ada.append('langgraph', { role: 'user', content: 'Hello.', metadata: { langgraph: { namespace: ['a'], key: 'k' } } })
  await store.put(['a'], 'k', { text: 'mine' })
  await store.delete(['a'], 'k')
  expect(await store.search([])).toEqual([])
  expect((await ada.messages('langgraph')).map(({ content }) => content)).toEqual(['Hello.'])
})
