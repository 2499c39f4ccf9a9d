import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { builtProgram } from '../built.ts'
import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { temporaryFolder } from '../fault/support/folder.ts'
import { sureHits } from '../fixtures/guides/recall/sure-hits.ts'

afterEach(() => vi.unstubAllEnvs())

const talk = [
  'The physician told me to drink less coffee.',
  'We painted the shutters warm white.',
  'The night ferry was cancelled because of the storm.',
  'My sister moved to Lisbon in spring.',
]

/** Questions that share no word with their answers. */
const paraphrases = [
  ['medical advice about caffeine', talk[0]],
  ['Which colour did you choose for the house?', talk[1]],
  ['bad weather stopped the boat', talk[2]],
  ['a relative who lives in Portugal', talk[3]],
] as const

test.each(['wasm', 'native'])('the model that comes with the package finds a paraphrase on %s', async (runtime) => {
  vi.stubEnv('VARVE_EMBEDDINGS', runtime)
  await using memory = await openMemory({ store: 'memory:', upkeep: 'manual' })
  const ada = memory.for('ada')
  await ada.append(
    'monday',
    talk.map((content) => ({ role: 'user' as const, content })),
  )
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 4, settled: true })
  for (const [question, answer] of paraphrases) expect((await ada.recall(question)).hits[0]?.text, question).toBe(answer)
  const { embedding } = await memory.upkeep.status()
  expect(embedding).toMatchObject({ name: 'all-MiniLM-L6-v2', runtime, tokensPerSecond: expect.any(Number) })
  expect((await memory.doctor()).checks.find(({ name }) => name === 'embeddings')).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/all-MiniLM-L6-v2 on .+tokens\/s; 0 messages wait for a vector/),
  })
})

test('a question without a known word finds its nearest neighbours, and a host leaves them out by their confidence', async () => {
  const page = readFileSync(new URL('../../docs/reference/recall-quality.md', import.meta.url), 'utf8')
  const code = readFileSync(new URL('../fixtures/guides/recall/sure-hits.ts', import.meta.url), 'utf8')
  expect(/^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1]).toBe(code.replace("'../../../../packages/varve/src/index.ts'", "'varve'"))
  vi.stubEnv('VARVE_EMBEDDINGS', 'wasm')
  await using memory = await openMemory({ store: 'memory:', upkeep: 'manual', languageModel: false })
  const ada = memory.for('ada')
  const said = [
    ['I am Ada, and I live in Bergen.', 'Good to know.'],
    ['Jule is allergic to sesame.', 'Noted.'],
    ['My physician told me to drink less coffee.', 'Good to know.'],
    ['ok', 'Sure!'],
  ]
  for (const [content = '', answer = ''] of said)
    await ada.append('talk', [
      { role: 'user', content },
      { role: 'assistant', content: answer },
    ])
  for (const [content, session] of [
    ['My cat is called Zorro.', 'cat'],
    ['I sleep badly.', 'sleep'],
  ] as const)
    await ada.append(session, [
      { role: 'user', content },
      { role: 'assistant', content: 'Good to know.' },
    ])
  await memory.upkeep.run()
  const { hits, confidence } = await ada.recall('zzz')
  expect(hits.length).toBeGreaterThan(0)
  expect(hits.flatMap(({ signals }) => signals.map(({ name }) => name)).filter((name) => name === 'words' || name === 'around')).toEqual([])
  expect(confidence).toBeLessThan(0.5)
  expect(await sureHits(ada, 'zzz')).toEqual([])
  expect((await sureHits(ada, 'any medical advice about caffeine?'))[0]?.text).toBe('My physician told me to drink less coffee.')
  // Its price, and why it is no default: an answer in quite other words.
  expect((await ada.recall('who must not eat tahini?')).hits[0]?.text).toBe('Jule is allergic to sesame.')
  expect(await sureHits(ada, 'who must not eat tahini?')).toEqual([])
})

test('of facts, those are found that say it otherwise, and not all that are of a person', async () => {
  vi.stubEnv('VARVE_EMBEDDINGS', 'wasm')
  await using memory = await openMemory({ store: 'memory:', upkeep: 'manual', languageModel: false })
  const ada = memory.for('ada')
  await ada.append('monday', { role: 'user', content: 'The physician told me to drink less coffee.' })
  const { facts } = ada
  for (const [predicate, object] of [
    ['landlord', 'Mr Brown'],
    ['boss', 'Tom'],
    ['doctor', 'Dr Okafor'],
    ['dentist', 'Dr Li'],
    ['mother', 'Ingrid'],
    ['lives in', 'Leeds'],
    ['diet', 'vegetarian'],
    ['nationality', 'British'],
  ] as const) {
    await facts.add({ predicate, object })
  }
  await memory.upkeep.run()
  const found = async (question: string) => (await facts.recall(question)).hits.map(({ fact }) => fact.object)
  expect(await found('who is my husband?')).toEqual([])
  for (const [question, object] of [
    ['who looks after my teeth?', 'Dr Li'],
    ['what foods should I avoid?', 'vegetarian'],
    ['which city am I based in?', 'Leeds'],
    ['who do I rent from?', 'Mr Brown'],
  ] as const) {
    expect((await found(question))[0], question).toBe(object)
  }
})

test('a memory that holds something loads the model as it is opened, and not one that is empty or leaves upkeep to others', async () => {
  vi.stubEnv('VARVE_EMBEDDINGS', 'wasm')
  using folder = temporaryFolder()
  const detail = async (memory: Memory): Promise<string | undefined> => (await memory.upkeep.status()).embedding?.detail
  {
    await using memory = await openMemory({ store: folder.file('store.db') })
    expect(await detail(memory)).toBe('loaded when it is first needed')
    await memory.for('ada').append('monday', { role: 'user', content: 'The night ferry was cancelled.' })
    await memory.upkeep.run()
  }
  {
    await using memory = await openMemory({ store: folder.file('store.db'), upkeep: 'manual' })
    await memory.for('ada').sessions.list()
    expect(await detail(memory)).toBe('loaded when it is first needed')
  }
  await using memory = await openMemory({ store: folder.file('store.db') })
  while (!(await detail(memory))?.startsWith('WebAssembly')) expect((await memory.upkeep.status()).embedding?.failure).toBeUndefined()
  expect((await memory.upkeep.status()).embedding).toMatchObject({ runtime: 'wasm', tokens: 0 })
})

test('vectors of one runtime are compared with those of the other', async () => {
  using folder = temporaryFolder()
  for (const runtime of ['native', 'wasm']) {
    vi.stubEnv('VARVE_EMBEDDINGS', runtime)
    await using memory = await openMemory({ store: folder.file('store.db'), upkeep: 'manual' })
    const ada = memory.for('ada')
    if (runtime === 'native')
      await ada.append(
        'monday',
        talk.map((content) => ({ role: 'user' as const, content })),
      )
    expect(await memory.upkeep.run()).toMatchObject({ embedded: runtime === 'native' ? 4 : 0 })
    for (const [question, answer] of paraphrases) expect((await ada.recall(question)).hits[0]?.text, question).toBe(answer)
  }
})

test('two processes that start at once on one new file both find a paraphrase', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const children = ['ada', 'ben'].map((user) =>
    fork(builtProgram('test/e2e/minilm-child.ts'), [folder.file('store.db'), user, JSON.stringify(talk), paraphrases[0][0]], {
      execArgv: [],
      env: { ...process.env, VARVE_EMBEDDINGS: 'wasm' },
    }),
  )
  const told = await Promise.all(
    children.map(async (child) => {
      const [message] = await once(child, 'message')
      await once(child, 'exit')
      return message
    }),
  )
  expect(told).toEqual([
    { text: talk[0], degraded: [] },
    { text: talk[0], degraded: [] },
  ])
})
