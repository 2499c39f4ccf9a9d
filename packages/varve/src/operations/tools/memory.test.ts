import { expect, test } from 'vitest'
import { openForTest } from '../../../../../test/fixtures/memory/open.ts'
import type { MemoryOptions, UserMemory } from '../../index.ts'
import { loadTokenizer } from '../../models/tokenizer.ts'
import { ManualClock } from '../../testing/manual-clock.ts'

/** The most tokens of the five tools' names, texts and schemas (o200k_base). */
const mostTokens = 900

const clock = new ManualClock()

async function adaIn(options: MemoryOptions = {}): Promise<UserMemory> {
  const memory = await openForTest({ embeddingModel: false, languageModel: false, clock, ...options })
  return memory.for({ project: 'acme', user: 'ada' })
}

/** Calls a tool, and expects an answer that is no error. */
async function done<Output extends object>(answer: Promise<Output | { readonly error: string }>): Promise<Output> {
  const given = await answer
  if ('error' in given) throw new TypeError(given.error)
  return given
}

test('five tools, whose names, texts and schemas are at most 900 tokens', async () => {
  const tools = (await adaIn()).tools()
  const listed = Object.entries(tools).map(([name, { description, inputSchema }]) => ({
    name,
    description,
    inputSchema: inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }),
  }))
  expect(listed.map(({ name }) => name)).toEqual(['memory_recall', 'memory_context', 'memory_remember', 'memory_edit', 'memory_forget'])
  const tokens = (await loadTokenizer()).count(JSON.stringify(listed))
  expect(tokens).toBeLessThanOrEqual(mostTokens)
})

test('recall shows each kind of memory with a ref, in words that are bounded, and says when nothing is known', async () => {
  const ada = await adaIn()
  const { messages } = await ada.append('talk', {
    role: 'user',
    name: 'Ada',
    content: `The zeppelin museum is in Friedrichshafen. ${'x '.repeat(9_000)}`,
  })
  await ada.facts.add({ predicate: 'visited', object: 'the zeppelin museum' })
  await ada.documents.edit('Museum', '- The zeppelin museum closes at nine.')
  await ada.blocks.set('plan', 'See the zeppelin museum.')
  const { hits } = await done(ada.tools().memory_recall.execute({ query: 'zeppelin museum' }))
  expect(hits.map(({ ref }) => ref.replace(/(fact):.*/, '$1:'))).toEqual(
    expect.arrayContaining([`message:${messages[0]?.id}`, 'fact:', 'document:Museum', 'block:plan']),
  )
  expect(hits.find(({ ref }) => ref.startsWith('message:'))).toMatchObject({ by: 'Ada', session: 'talk', at: '2026-01-05T09:00:00.000Z' })
  for (const { text } of hits) expect(text.length).toBeLessThanOrEqual(1_200)
  expect(await done(ada.tools().memory_recall.execute({ query: 'xylophone' }))).toMatchObject({ hits: [] })
  expect(await ada.tools().memory_recall.execute({ query: 7 })).toEqual({ error: expect.stringContaining('query') })
})

test('a context keeps its fence, and leaves out the running session', async () => {
  const ada = await adaIn()
  await ada.append('past', { role: 'user', content: 'The oars hang in the boat house.' })
  await ada.append('now', { role: 'user', content: 'Where do the oars hang, again? Purple.' })
  const { text, tokens } = await done(ada.tools({ session: 'now' }).memory_context.execute({ query: 'oars', maxTokens: 400 }))
  expect(text).toMatch(/<memory mark="[0-9a-f]{16}">[^]*boat house[^]*<\/memory mark="[0-9a-f]{16}">/)
  expect(text).not.toContain('Purple')
  expect(tokens).toBeLessThanOrEqual(400)
})

test('what an agent remembers is its own note, fact or instruction, never the words of a person', async () => {
  const ada = await adaIn()
  await ada.append('talk', { role: 'user', content: 'Answer in Norwegian.' })
  const { memory_remember: remember } = ada.tools({ session: 'talk', writer: 'helmsman' })
  const fact = await done(remember.execute({ predicate: 'likes', object: 'tea', subject: null, note: '' }))
  const instruction = await done(remember.execute({ instruction: 'Name the pier.' }))
  const note = await done(remember.execute({ note: 'The gate needs\n# the blue key.', topic: 'Harbour' }))
  expect([fact.stored, instruction.stored, note]).toEqual(['fact', 'instruction', { stored: 'note', ref: 'document:Harbour' }])
  expect(await ada.facts.list()).toMatchObject([{ id: fact.ref.slice(5), writer: 'helmsman', sources: [] }])
  expect((await ada.instructions.list()).find(({ by }) => by === 'helmsman')).toMatchObject({ text: 'Name the pier.', noted: true })
  expect(await ada.documents.read('Harbour')).toMatchObject({
    writer: 'helmsman',
    content: expect.stringContaining('- The gate needs # the blue key.'),
  })
  for (const wrong of [
    {},
    { note: 'x', instruction: 'y' },
    { object: 'x' },
    { predicate: 'likes' },
    { note: 'x', writer: 'person' },
    { note: 7 },
  ])
    expect(await remember.execute(wrong)).toHaveProperty('error')
  expect(await ada.facts.list()).toHaveLength(1)
})

test('an agent edits facts and instructions that agents noted, and documents and blocks by the words that stand there', async () => {
  const ada = await adaIn()
  const tools = ada.tools({ writer: 'helmsman' })
  const edit = tools.memory_edit
  const { ref } = await done(tools.memory_remember.execute({ predicate: 'lives in', object: 'Olso' }))
  const corrected = await done(edit.execute({ ref, text: 'Oslo' }))
  expect(corrected).toMatchObject({ done: 'corrected', text: expect.stringContaining('Oslo') })
  expect(await edit.execute({ ref: corrected.ref, text: 'Bergen', version: 'another' })).toEqual({
    error: expect.stringContaining('version'),
  })
  expect(await done(edit.execute({ ref: corrected.ref, retract: true, version: corrected.version }))).toMatchObject({ done: 'retracted' })
  const noted = await done(tools.memory_remember.execute({ instruction: 'Name the peer.' }))
  expect(await edit.execute({ ref: noted.ref, text: 'Name the quay.', version: 'another' })).toEqual({
    error: expect.stringContaining('version'),
  })
  expect((await ada.instructions.list()).map(({ text }) => text)).toEqual(['Name the peer.'])
  const renamed = await done(edit.execute({ ref: noted.ref, text: 'Name the pier.' }))
  expect((await ada.instructions.list()).map(({ text }) => text)).toEqual(['Name the pier.'])
  expect(await done(edit.execute({ ref: renamed.ref, retract: true }))).toMatchObject({ done: 'retracted' })
  await ada.documents.edit('Harbour', '- opens at 8')
  expect(await done(edit.execute({ ref: 'document:Harbour', old: 'at 8', text: 'at 9' }))).toMatchObject({ done: 'edited', version: '2' })
  expect(await edit.execute({ ref: 'document:Harbour', old: 'at 8', text: 'at 7' })).toHaveProperty('error')
  expect(await edit.execute({ ref: 'document:Harbour', text: '- closes at 5', version: '1' })).toEqual({
    error: expect.stringContaining('revision 2'),
  })
  await ada.blocks.set('plan', 'See the museum. See the pier.')
  expect(await done(edit.execute({ ref: 'block:plan', old: 'the museum', text: 'a play' }))).toMatchObject({ done: 'edited' })
  expect(await edit.execute({ ref: 'block:plan', old: 'See', text: 'Saw' })).toEqual({ error: expect.stringContaining('2 times') })
  expect(await ada.blocks.get('plan')).toMatchObject({ text: 'See a play. See the pier.', writer: 'helmsman' })
})

test('notes at once are all kept, and the same one once', async () => {
  const ada = await adaIn()
  const { memory_remember: remember } = ada.tools()
  const notes = Array.from({ length: 12 }, (_, place) => `The gate ${place % 10} is blue.`)
  await Promise.all(notes.map((note) => done(remember.execute({ note }))))
  const { content = '' } = (await ada.documents.read('Notes of the agent')) ?? {}
  expect(content.split('\n').filter(Boolean).toSorted()).toEqual(notes.slice(0, 10).map((note) => `- ${note}`))
})

test('an edit that is refused is told by the fields of the tool', async () => {
  const ada = await adaIn()
  const { memory_edit: edit, memory_remember: remember } = ada.tools()
  await ada.documents.edit('Harbour', '- opens at 8')
  await ada.blocks.set('plan', 'See the pier.')
  const { ref: fact } = await done(remember.execute({ predicate: 'lives in', object: 'Oslo' }))
  const pages = ['document:Harbour', 'block:plan'].flatMap((ref) => [
    { ref, text: '', told: /^text must be words: / },
    { ref, text: 'x', old: 'zzz', told: /^old must be words that stand there exactly once; they stand there 0 times: / },
    { ref, text: 'x', version: 'abc', told: /^version must be .*: received a string of 3 characters\.$/ },
    { ref, text: '\0', told: /^text must be / },
  ])
  const others = [
    { ref: fact, text: ' ', told: /^text must be / },
    { ref: 'document:\n', text: 'x', told: /^ref must be / },
    { ref: 'block:\n', text: 'x', told: /^ref must be / },
  ]
  for (const { told, ...input } of [...pages, ...others])
    expect(await edit.execute(input), JSON.stringify(input)).toEqual({ error: expect.stringMatching(told) })
  expect(await ada.documents.read('Harbour')).toMatchObject({ revision: 1 })
})

test('an agent changes nothing that a person said, and nothing of the project', async () => {
  const memory = await openForTest({ embeddingModel: false, languageModel: false, clock })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const { messages } = await ada.append('talk', { role: 'user', content: 'I live in Oslo. Always show the prices in pounds.' })
  await ada.distil('talk')
  await memory.project('acme').documents.edit('Rules', '- No shoes.')
  await memory.project('acme').blocks.set('house', 'Quiet.')
  const [fact] = await ada.facts.query({ predicate: 'lives in' })
  const [instruction] = await ada.instructions.list()
  const { memory_edit: edit, memory_remember: remember, memory_forget: forget } = ada.tools()
  const refused = [
    ...[`fact:${fact?.id}`, `instruction:${instruction?.id}`].flatMap((ref) => [
      { ref, text: 'x' },
      { ref, retract: true },
    ]),
    ...[`message:${messages[0]?.id}`, 'document:Rules', 'block:house', 'gist:x', 'constructor:x', '__proto__:x', 'x', ''].map((ref) => ({
      ref,
      text: 'x',
    })),
  ]
  for (const input of refused) expect(await edit.execute(input), JSON.stringify(input)).toHaveProperty('error')
  expect(await remember.execute({ note: 'x', topic: 'Rules' })).toHaveProperty('error')
  for (const ref of ['document:Rules', 'block:house']) expect(await forget.execute({ refs: [ref] })).toHaveProperty('error')
  expect(await ada.facts.query({ predicate: 'lives in' })).toMatchObject([{ object: 'Oslo' }])
  expect(await memory.project('acme').documents.read('Rules')).toMatchObject({ content: '- No shoes.', revision: 1 })
})
