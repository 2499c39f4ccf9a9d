import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Memory, type MemoryOptions, openMemory } from '../../packages/varve/src/index.ts'
import { hashedEmbeddingModel, ManualClock } from '../../packages/varve/src/testing/index.ts'
import { temporaryFolder } from '../fault/support/folder.ts'

const synonyms = [
  ['dock', 'jetty'],
  ['repair', 'mend'],
  ['doctor', 'physician'],
]
type Model = ReturnType<typeof hashedEmbeddingModel>
type Answer = Awaited<ReturnType<Model['doEmbed']>>

async function open(options: MemoryOptions = {}): Promise<Memory> {
  const memory = await openMemory({
    store: 'memory:',
    upkeep: 'manual',
    embeddingModel: hashedEmbeddingModel({ synonyms }),
    layers: { gists: false, facts: false },
    logger: { warn: () => undefined },
    ...options,
  })
  onTestFinished(() => memory.close())
  return memory
}

/** Gives a model that notes its requests. `script` may answer, or fail, in its place, call by call. */
function scripted(model: Model, ...script: ((values: string[]) => Answer | Error | undefined)[]): Model & { readonly asked: string[][] } {
  const asked: string[][] = []
  return {
    ...model,
    asked,
    doEmbed: async (options) => {
      asked.push(options.values)
      const answer = script[asked.length - 1]?.(options.values)
      if (answer instanceof Error) throw answer
      return answer ?? model.doEmbed(options)
    },
  }
}

const status = (code: number): Error =>
  Object.assign(new Error(`status ${code}`), { statusCode: code, isRetryable: code === 429 || code >= 500 })

// requirement: GIST-9
test('what is meant is found once it is embedded, and what is said at once', async () => {
  const memory = await open()
  const ada = memory.for('ada')
  await ada.append('monday', [
    { role: 'user', content: 'We mend the jetty in spring.' },
    { role: 'user', content: 'Soup costs seven euros.' },
  ])
  expect((await ada.recall('jetty')).hits[0]?.text).toContain('jetty')
  expect((await ada.recall('dock')).hits).toEqual([])
  expect(await memory.upkeep.status()).toMatchObject({ backlog: { embeddings: 2 } })
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 2, settled: true })
  expect(await memory.upkeep.status()).toMatchObject({
    backlog: { embeddings: 0 },
    embedding: { name: 'varve-testing:hashed', runtime: 'provider', refused: 0 },
  })
  const { hits, degraded } = await ada.recall('dock')
  expect(degraded).toEqual([])
  expect(hits[0]?.text).toBe('We mend the jetty in spring.')
  expect(hits[0]?.signals.map(({ name }) => name)).toContain('meaning')
})

test('new messages are embedded in the background, soon after they are stored', async () => {
  const memory = await open({ upkeep: 'background' })
  const ada = memory.for('ada')
  const answered = Promise.withResolvers<void>()
  await ada.append('monday', { role: 'user', content: 'The physician comes at noon.' })
  const look = async (): Promise<void> => {
    if ((await memory.upkeep.status()).backlog.embeddings === 0) answered.resolve()
    else setImmediate(() => void look())
  }
  await look()
  await answered.promise
  expect((await ada.recall('doctor')).hits[0]?.text).toBe('The physician comes at noon.')
})

test('the newest messages come first, and every partition has its turn', async () => {
  const model = scripted(hashedEmbeddingModel())
  const memory = await open({ embeddingModel: model })
  const many = Array.from({ length: 300 }, (_, place) => ({ role: 'user' as const, content: `Barge ${place} passed.` }))
  await memory.for('ada').append('log', many)
  await memory.for('ben').append('log', { role: 'user', content: 'Ben was here.' })
  await memory.upkeep.run()
  const order = model.asked.slice(1).flat()
  expect(order.indexOf('Barge 299 passed.')).toBeLessThan(order.indexOf('Barge 0 passed.'))
  expect(order.indexOf('Ben was here.')).toBeLessThan(order.indexOf('Barge 0 passed.'))
  expect(new Set(order).size).toBe(301)
})

// requirement: P1.5
test('a failed model costs nothing but time: words are found, and it is tried again later', async () => {
  const clock = new ManualClock()
  const ok = (): undefined => undefined
  const model = scripted(hashedEmbeddingModel({ synonyms }), ok, () => status(429), ok, ok)
  const memory = await open({ embeddingModel: model, clock })
  const ada = memory.for('ada')
  await ada.append('monday', { role: 'user', content: 'We mend the jetty.' })
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 0, settled: false })
  const { failures, backlog } = await memory.upkeep.status()
  expect(backlog.embeddings).toBe(1)
  expect(failures).toEqual([expect.objectContaining({ kind: 'embedding', attempts: 1, reason: expect.stringContaining('429') })])
  expect((await ada.recall('jetty')).hits).toHaveLength(1)
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 0 })
  clock.advance(2_000)
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 1, settled: true })
  expect((await memory.upkeep.status()).failures).toEqual([])
})

test('half a batch, another dimension, and numbers that are none store nothing', async () => {
  const bad: ((values: string[]) => Answer)[] = [
    (values) => ({ embeddings: values.slice(1).map(() => [1, 2]) }),
    (values) => ({ embeddings: values.map(() => [1, 2, 3]) }),
    (values) => ({ embeddings: values.map(() => Array.from({ length: 256 }, () => Number.NaN)) }),
  ]
  for (const answer of bad) {
    const memory = await open({ embeddingModel: scripted(hashedEmbeddingModel(), () => undefined, answer, answer, answer, answer) })
    await memory.for('ada').append('monday', [
      { role: 'user', content: 'One.' },
      { role: 'user', content: 'Two.' },
    ])
    expect(await memory.upkeep.run()).toMatchObject({ embedded: 0, settled: false })
    expect((await memory.upkeep.status()).backlog.embeddings).toBe(2)
  }
})

test('a text that the model refuses keeps no other from its vector', async () => {
  const model = hashedEmbeddingModel({ synonyms })
  const refusing: Model = {
    ...model,
    doEmbed: async (options) => {
      if (options.values.some((text) => text.includes('unspeakable'))) throw status(400)
      return model.doEmbed(options)
    },
  }
  const memory = await open({ embeddingModel: refusing })
  const contents = Array.from({ length: 9 }, (_, place) => (place === 4 ? 'The unspeakable word.' : `We mend jetty ${place}.`))
  await memory.for('ada').append(
    'monday',
    contents.map((content) => ({ role: 'user' as const, content })),
  )
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 8, settled: true })
  expect(await memory.upkeep.status()).toMatchObject({ backlog: { embeddings: 0 }, embedding: { refused: 1 } })
  expect((await memory.for('ada').recall('dock', { limit: 20 })).hits).toHaveLength(8)
  expect((await memory.for('ada').recall('unspeakable')).hits[0]?.text).toBe('The unspeakable word.')
})

test('a text that the model fails at for ever, as at a passing failure, keeps no other from its vector after the third try', async () => {
  const clock = new ManualClock()
  const model = hashedEmbeddingModel({ synonyms })
  let asked = 0
  const failing: Model = {
    ...model,
    doEmbed: async (options) => {
      asked += 1
      if (options.values.some((text) => text.includes('unspeakable'))) throw status(500)
      return model.doEmbed(options)
    },
  }
  const memory = await open({ embeddingModel: failing, clock })
  const contents = Array.from({ length: 60 }, (_, place) => (place === 40 ? 'The unspeakable word.' : `We mend jetty ${place}.`))
  await memory.for('ada').append(
    'monday',
    contents.map((content) => ({ role: 'user' as const, content })),
  )
  for (const attempts of [1, 2]) {
    expect(await memory.upkeep.run()).toMatchObject({ embedded: 0 })
    expect((await memory.upkeep.status()).failures).toMatchObject([{ attempts, reason: 'it answered 500' }])
    clock.advance(2_000)
  }
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 59, settled: true })
  expect(await memory.upkeep.status()).toMatchObject({ backlog: { embeddings: 0 }, embedding: { refused: 1 }, failures: [] })
  expect(asked).toBeLessThan(50)
  expect((await memory.for('ada').recall('unspeakable')).hits[0]?.text).toBe('The unspeakable word.')
})

test('a model that is down is not taken for one that fails at each text, however long', async () => {
  const clock = new ManualClock()
  const model = hashedEmbeddingModel({ synonyms })
  let isDown = false
  let asked = 0
  const memory = await open({
    clock,
    embeddingModel: {
      ...model,
      doEmbed: async (options) => {
        asked += 1
        if (isDown) throw status(503)
        return model.doEmbed(options)
      },
    },
  })
  await memory.for('ada').append('monday', { role: 'user', content: 'Soup costs seven euros.' })
  await memory.upkeep.run()
  isDown = true
  await memory.for('ada').append('monday', [
    { role: 'user', content: 'We mend the jetty.' },
    { role: 'user', content: 'The mast is new.' },
  ])
  for (let attempts = 1; attempts <= 6; attempts += 1) {
    asked = 0
    await memory.upkeep.run()
    // Once texts are suspected, the harmless text is asked, and clears them.
    expect(asked).toBe(attempts > 2 ? 2 : 1)
    expect(await memory.upkeep.status()).toMatchObject({ backlog: { embeddings: 2 }, embedding: { refused: 0 }, failures: [{ attempts }] })
    clock.advance(600_000)
  }
  isDown = false
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 2, settled: true })
})

test('a suspected text that works at its last try keeps its vector', async () => {
  const clock = new ManualClock()
  const ok = (): undefined => undefined
  const fail = (): Error => status(500)
  // The dimension; twice in vain; the third time: alone, the harmless text, and once more.
  const model = scripted(hashedEmbeddingModel({ synonyms }), ok, fail, fail, fail, ok, ok)
  const memory = await open({ embeddingModel: model, clock })
  await memory.for('ada').append('monday', { role: 'user', content: 'We mend the jetty.' })
  for (let turn = 0; turn < 2; turn += 1) {
    await memory.upkeep.run()
    clock.advance(2_000)
  }
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 1, settled: true })
  expect(await memory.upkeep.status()).toMatchObject({ embedding: { refused: 0 } })
})

test('a model that refuses everything is put off, not taken for a refusal of each text', async () => {
  const memory = await open({
    embeddingModel: scripted(hashedEmbeddingModel(), () => undefined, ...Array.from({ length: 20 }, () => () => status(401))),
  })
  await memory.for('ada').append('monday', [
    { role: 'user', content: 'One.' },
    { role: 'user', content: 'Two.' },
  ])
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 0, settled: false })
  expect(await memory.upkeep.status()).toMatchObject({ backlog: { embeddings: 2 }, embedding: { refused: 0 } })
})

test('forgotten and replaced messages lose their vectors, also while they are being made', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const store = folder.file('store.db')
  let ids: readonly string[] = []
  const model = hashedEmbeddingModel({ synonyms })
  const slow: Model = {
    ...model,
    doEmbed: async (options) => {
      const [gone, changed] = ids
      if (gone !== undefined && changed !== undefined) {
        ids = []
        await memory.for('ada').forget({ messages: [gone] })
        await memory.for('ada').replace(changed, 'The harbour master sleeps.')
      }
      return model.doEmbed(options)
    },
  }
  const memory = await open({ store, embeddingModel: slow })
  const ada = memory.for('ada')
  const { messages } = await ada.append(
    'monday',
    ['We mend the jetty.', 'The physician came.', 'Soup is seven euros.'].map((content) => ({ role: 'user' as const, content })),
  )
  ids = messages.map(({ id }) => id)
  await memory.upkeep.run()
  expect((await ada.recall('dock')).hits).toEqual([])
  expect((await ada.recall('doctor')).hits).toEqual([])
  expect((await ada.recall('master')).hits[0]?.text).toBe('The harbour master sleeps.')
  expect(await memory.upkeep.status()).toMatchObject({ backlog: { embeddings: 0 } })
  await ada.forget({ all: true })
  const file = new Database(store, { readonly: true })
  for (const table of ['message_vector', 'message_code', 'embedding'])
    expect(file.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0)
  file.close()
})

// requirement: GIST-12
test('a changed model embeds anew while recall goes on, and what nobody makes any more goes after a day', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const store = folder.file('store.db')
  const clock = new ManualClock()
  const first = await open({ store, clock, embeddingModel: hashedEmbeddingModel({ name: 'old', synonyms }) })
  await first.for('ada').append('monday', { role: 'user', content: 'We mend the jetty.' })
  await first.upkeep.run()
  await first.close()
  const memory = await open({ store, clock, embeddingModel: hashedEmbeddingModel({ name: 'new', dimension: 32, synonyms }) })
  expect((await memory.for('ada').recall('jetty')).hits).toHaveLength(1)
  expect((await memory.upkeep.status()).backlog.embeddings).toBe(1)
  await memory.upkeep.run()
  expect((await memory.for('ada').recall('dock')).hits).toHaveLength(1)
  const rows = (): unknown => {
    const file = new Database(store, { readonly: true })
    const count = file.prepare('SELECT count(*) FROM message_vector').pluck().get()
    file.close()
    return count
  }
  expect(rows()).toBe(2)
  clock.advance(25 * 3_600_000)
  await memory.upkeep.run()
  expect(rows()).toBe(1)
  expect((await memory.for('ada').recall('dock')).hits).toHaveLength(1)
})

test('a message of a megabyte is found by what its last line means, and the passage is told', async () => {
  const memory = await open()
  const content = `${'The gauge at the weir was read again and nothing had changed. '.repeat(16_000)}We mend the jetty.`
  await memory.for('ada').append('log', [
    { role: 'user', content },
    { role: 'user', content: 'The dock.' },
  ])
  expect(await memory.upkeep.run({ maxSeconds: 600 })).toMatchObject({ settled: true })
  const { hits } = await memory.for('ada').recall('repair dock', { limit: 2 })
  const long = hits.find(({ text }) => text === content)
  expect(long?.passage).toBeDefined()
  expect(content.slice(long?.passage?.from, long?.passage?.to)).toContain('We mend the jetty.')
})

test('what is shown of another conversation, and instructions to a model, get no vector', async () => {
  const model = scripted(hashedEmbeddingModel({ synonyms }))
  const memory = await open({ embeddingModel: model })
  await memory.for('ada').append('monday', [
    { role: 'system', content: 'You mend every jetty.' },
    { role: 'user', content: 'Good morning.' },
  ])
  await memory.upkeep.run()
  expect(model.asked.slice(1).flat()).toEqual(['Good morning.'])
})

test('without a model words alone find, and nothing is degraded', async () => {
  const memory = await open({ embeddingModel: false })
  await memory.for('ada').append('monday', { role: 'user', content: 'We mend the jetty.' })
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 0, settled: true })
  expect(await memory.for('ada').recall('jetty')).toMatchObject({ hits: [{}], degraded: [] })
  expect((await memory.upkeep.status()).embedding).toBeUndefined()
})

test('a question whose vector does not come is answered by its words, says so, and warns once', async () => {
  const warnings: string[] = []
  const model = scripted(
    hashedEmbeddingModel({ synonyms }),
    () => undefined,
    () => undefined,
    ...Array.from({ length: 5 }, () => () => status(500)),
  )
  const memory = await open({ embeddingModel: model, logger: { warn: (text) => warnings.push(text) } })
  const ada = memory.for('ada')
  await ada.append('monday', { role: 'user', content: 'We mend the jetty.' })
  await memory.upkeep.run()
  // The pause after the first question's failure must not be over by the second, however busy the machine is.
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['performance'] })
  for (const question of ['jetty', 'mend']) {
    const { hits, degraded } = await ada.recall(question)
    expect(hits).toHaveLength(1)
    expect(degraded).toEqual([expect.stringContaining('words only')])
  }
  expect(warnings).toHaveLength(1)
  expect(model.asked).toHaveLength(3)
})

test('a memory that is closed in the middle of it gives back what it had taken, and another goes on at once', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const store = folder.file('store.db')
  const warnings: string[] = []
  const asked = Promise.withResolvers<void>()
  const model = hashedEmbeddingModel({ synonyms })
  const hanging: Model = {
    ...model,
    doEmbed: (options) => {
      if (!options.values.some((text) => text.includes('jetty'))) return model.doEmbed(options)
      asked.resolve()
      return new Promise((_resolve, reject) => options.abortSignal?.addEventListener('abort', () => reject(new Error('aborted'))))
    },
  }
  const first = await open({ store, embeddingModel: hanging, upkeep: 'background', logger: { warn: (text) => warnings.push(text) } })
  await first.for('ada').append('monday', { role: 'user', content: 'We mend the jetty.' })
  await asked.promise
  await first.close()
  expect(warnings).toEqual([])
  const second = await open({ store })
  expect(await second.upkeep.run()).toMatchObject({ embedded: 1, settled: true })
})

test('two memories on one file embed each message once', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const store = folder.file('store.db')
  const models = [scripted(hashedEmbeddingModel()), scripted(hashedEmbeddingModel())]
  const memories = await Promise.all(models.map((embeddingModel) => open({ store, embeddingModel, isolation: 'silent' })))
  const contents = Array.from({ length: 200 }, (_, place) => `Barge ${place} passed the lock.`)
  for (const user of ['ada', 'ben', 'cleo'])
    await memories[0]?.for(user).append(
      'log',
      contents.map((content) => ({ role: 'user' as const, content: `${user}: ${content}` })),
    )
  while ((await memories[0]?.upkeep.status())?.backlog.embeddings !== 0) await Promise.all(memories.map((memory) => memory.upkeep.run()))
  const texts = models.flatMap(({ asked }) => asked.flat()).filter((text) => text.includes('Barge'))
  expect(texts).toHaveLength(600)
  expect(new Set(texts).size).toBe(600)
})

test('what a killed process had taken is another’s once its lease is over', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const store = folder.file('store.db')
  const clock = new ManualClock()
  const memory = await open({ store, clock })
  await memory.for('ada').append('monday', { role: 'user', content: 'We mend the jetty.' })
  await memory.upkeep.run({ maxSeconds: 0 })
  const file = new Database(store)
  file
    .prepare("INSERT INTO embedding_model (name, dimension, quantisation, created_at) VALUES ('varve-testing:hashed', 256, 'none', 0)")
    .run()
  file
    .prepare(`INSERT INTO embedding (partition_id, model_id, vector_seq, seen_seq, done, claimed_at, lease_holder, lease_until,
attempts, due_at)
    VALUES (1, 1, 0, 0, '[]', ?, 'somebody who is gone', ?, 0, 0)`)
    .run(clock.now(), clock.now() + 60_000)
  file.close()
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 0 })
  clock.advance(60_000)
  expect(await memory.upkeep.run()).toMatchObject({ embedded: 1, settled: true })
})

// requirement: P5.6
test('a model that never works is told once, by whoever meets it first: words find', async () => {
  const warnings: string[] = []
  const memory = await open({
    embeddingModel: { ...hashedEmbeddingModel(), doEmbed: () => Promise.reject(status(401)) },
    logger: { warn: (text) => warnings.push(text) },
  })
  const ada = memory.for('ada')
  await ada.append('monday', { role: 'user', content: 'We mend the jetty.' })
  await memory.upkeep.run()
  expect(await ada.recall('jetty')).toMatchObject({ hits: [{}], degraded: [expect.stringMatching(/words only: .*401; check the key/)] })
  expect((await ada.context({ query: 'jetty' })).text).toContain('We mend the jetty.')
  expect(warnings).toHaveLength(1)
  expect(await memory.doctor()).toMatchObject({ ok: false })
})

test('a run does what was stored before it was asked for, also while the background is at work', async () => {
  const memory = await open({ upkeep: 'background' })
  const ada = memory.for('ada')
  for (let round = 0; round < 40; round += 1) {
    await ada.append('monday', { role: 'user', content: `Barge ${round} passed.` })
    if (round % 2 === 1) expect((await memory.upkeep.run()).settled && (await memory.upkeep.status()).backlog.embeddings).toBe(0)
  }
})

test('a question that the model refuses takes meaning from no other question', async () => {
  const model = hashedEmbeddingModel({ synonyms })
  const memory = await open({
    embeddingModel: {
      ...model,
      doEmbed: (options) => (options.values.includes('bomb') ? Promise.reject(status(400)) : model.doEmbed(options)),
    },
  })
  await memory.for('ada').append('monday', { role: 'user', content: 'We mend the jetty.' })
  await memory.upkeep.run()
  expect((await memory.for('ada').recall('bomb')).degraded).toEqual([expect.stringContaining('words only')])
  expect(await memory.for('ada').recall('dock')).toMatchObject({ hits: [{}], degraded: [] })
})

test('that nothing of many messages has a vector yet is said', async () => {
  const memory = await open()
  await memory.for('ada').append(
    'log',
    Array.from({ length: 60 }, (_, place) => ({ role: 'user' as const, content: `Barge ${place} passed.` })),
  )
  expect((await memory.for('ada').recall('barge')).degraded).toEqual(['words only for 60 of 60 messages: they have no vector yet'])
  await memory.upkeep.run()
  expect((await memory.for('ada').recall('barge')).degraded).toEqual([])
})

// requirement: P3.8
test('a forgotten message’s vectors are searched for in the file’s dead bytes, as its words are', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const store = folder.file('store.db')
  // Without zeros: zeroed bytes are everywhere.
  const model: Model = {
    ...hashedEmbeddingModel(),
    doEmbed: async ({ values }) => ({
      embeddings: values.map((text) => Array.from({ length: 64 }, (_, place) => Math.sin(1 + text.length * 7 + place * 3.7))),
    }),
  }
  const memory = await open({ store, embeddingModel: model })
  const ada = memory.for('ada')
  const { messages } = await ada.append(
    'monday',
    ['We mend the jetty in spring.', 'Soup is seven euros.'].map((content) => ({ role: 'user' as const, content })),
  )
  await memory.upkeep.run()
  // Bytes that page balancing leaves now and then: copies in the free space of living pages.
  const file = new Database(store)
  const bodies = file
    .prepare<[], Buffer>('SELECT body FROM message_vector WHERE ord = 1 UNION ALL SELECT body FROM message_code WHERE ord = 1')
    .pluck()
    .all()
  file.pragma('secure_delete = OFF')
  for (const body of bodies) {
    file.prepare("INSERT INTO embedding_model (name, dimension, quantisation, created_at) VALUES (CAST(? AS TEXT), 1, 'x', 0)").run(body)
    file.exec("DELETE FROM embedding_model WHERE quantisation = 'x'")
  }
  file.pragma('wal_checkpoint(TRUNCATE)')
  file.close()
  const isThere = (): boolean[] => bodies.map((body) => readFileSync(store).includes(body.subarray(16, 48)))
  expect(isThere()).toEqual([true, true])
  expect(await ada.forget({ messages: [messages[0]?.id ?? ''] })).toMatchObject({ physical: 'done' })
  expect(isThere()).toEqual([false, false])
})

test('a long vector of a living message with the same words is not taken for the forgotten one’s: the file is not rewritten', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  const store = folder.file('store.db')
  const model: Model = {
    ...hashedEmbeddingModel(),
    doEmbed: async ({ values }) => ({
      embeddings: values.map((text) => Array.from({ length: 1_536 }, (_, place) => Math.sin(1 + text.length * 7 + place * 3.7))),
    }),
  }
  const memory = await open({ store, embeddingModel: model })
  const ada = memory.for('ada')
  const { messages } = await ada.append(
    'monday',
    ['The jetty holds.', 'The jetty holds.', 'Soup is seven euros.'].map((content) => ({ role: 'user' as const, content })),
  )
  await memory.upkeep.run()
  expect(await ada.forget({ messages: [messages[0]?.id ?? ''] })).toMatchObject({ physical: 'done' })
  const file = new Database(store, { readonly: true })
  onTestFinished(() => void file.close())
  // The pages of its vector are free, and a rewritten file has none.
  expect(file.pragma('freelist_count', { simple: true })).toBeGreaterThan(0)
})

test('what others store, with vectors, changes no hit or score here', async () => {
  const memory = await open({ isolation: 'silent' })
  const ada = memory.for('ada')
  const talk = ['We mend the jetty.', 'The physician came at noon.', 'Soup is seven euros.']
  await ada.append(
    'monday',
    talk.map((content) => ({ role: 'user' as const, content })),
  )
  await memory.upkeep.run()
  const ask = async () => Promise.all(['dock', 'repair the dock', 'doctor', 'soup'].map((question) => ada.recall(question, { limit: 20 })))
  const before = await ask()
  for (const user of ['ben', 'cleo', 'ada '])
    await memory.for(user).append(
      'monday',
      [...talk, 'dock dock dock', 'repair the jetty'].map((content) => ({ role: 'user' as const, content })),
    )
  await memory.for('ben').forget({ all: true })
  await memory.upkeep.run()
  expect(await ask()).toEqual(before)
  expect(before[0]?.hits[0]?.text).toBe('We mend the jetty.')
})
