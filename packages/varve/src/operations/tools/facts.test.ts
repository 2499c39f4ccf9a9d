import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, type ToolSet } from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory } from '../../memory/memory.ts'
import { scriptedModelServer } from '../../testing/scripted-model-server.ts'

async function opened(): Promise<Memory> {
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false })
  onTestFinished(() => memory.close())
  return memory
}

test('an agent adds, finds, corrects and retracts facts in its own name, without a message for a source', async () => {
  const ada = (await opened()).for({ project: 'acme', user: 'ada' })
  const { id } = await ada.facts.add({ predicate: 'likes', object: 'tea', writer: 'mate' })
  const sources = [{ message: '01a1fe5f-52bf-7573-9d35-de1f00000001' }]
  const calls: readonly (readonly [string, object])[] = [
    ['memory_fact_add', { subject: 'I', predicate: 'lives in', object: 'Hven', writer: 'person' }],
    ['memory_fact_add', { subject: 'I', predicate: 'lives in', object: 'Hven', sources }],
    ['memory_fact_add', { subject: 'I', predicate: 'lives in', object: 'Hven' }],
    ['memory_fact_query', { predicate: 'lives in' }],
    ['memory_fact_correct', { id, object: 'coffee' }],
    ['memory_fact_retract', { id: 'none' }],
    ['memory_fact_add', { predicate: '' }],
    ['memory_fact_list', {}],
  ]
  await using server = await scriptedModelServer(({ number }) => {
    const call = calls[number - 1]
    if (call === undefined) return { text: 'Done.' }
    const toolCall = { id: `call_${number}`, type: 'function', function: { name: call[0], arguments: JSON.stringify(call[1]) } }
    const message = { role: 'assistant', content: null, tool_calls: [toolCall] }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
    return { body: { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage } }
  })
  const tools: ToolSet = ada.facts.tools({ writer: 'helmsman' })
  const { steps } = await generateText({
    model: createOpenAICompatible({ name: 'local', baseURL: server.url })('m'),
    prompt: 'Keep your memory.',
    tools,
    stopWhen: isStepCount(20),
  })
  const home = { predicate: 'lives in', object: 'Hven', writer: 'helmsman' }
  expect(steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))).toMatchObject([
    { error: expect.stringContaining('writer must be left out') },
    { error: expect.stringContaining('sources must be left out') },
    home,
    { facts: [home] },
    { object: 'coffee', writer: 'helmsman' },
    { error: expect.stringContaining('no fact') },
    { error: expect.stringContaining('must be') },
    { facts: expect.arrayContaining([expect.objectContaining(home)]) },
  ])
  const [fact] = await ada.facts.query({ predicate: 'lives in' })
  expect(fact).toMatchObject({ writer: 'helmsman', sources: [] })
  await ada.forget({ all: true })
  expect(await ada.facts.list()).toEqual([])
})

/** A memory whose clock is set by the test, and in which Ada said that she lives in Oslo. */
async function inOslo() {
  const clock = { at: Date.parse('2026-03-01T09:00:00Z') }
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, clock: { now: () => clock.at } })
  onTestFinished(() => memory.close())
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('winter', { role: 'user', content: 'I live in Oslo.' })
  await ada.distil('winter')
  const [home] = await ada.facts.query({ predicate: 'lives in' })
  if (home === undefined) throw new TypeError('no home was read')
  const pass = (days: number): void => void (clock.at += days * 86_400_000)
  const tools = ada.facts.tools({ writer: 'helmsman' })
  const homes = async (times: { validAt?: number; asOf?: number } = {}): Promise<string[]> =>
    (await ada.facts.query({ predicate: 'lives in', ...times })).map(
      (one) => `${one.object}${one.unverified === true ? ' unverified' : ''}`,
    )
  return { ada, clock, home, tools, pass, homes }
}

test('a note of an agent ends no statement of a person, now and as of any time, and yields to the next one', async () => {
  const { ada, clock, tools, pass, homes } = await inOslo()
  pass(10)
  const noted = await tools.memory_fact_add.execute({ predicate: 'lives in', object: 'Bergen' })
  expect(noted).toMatchObject({ object: 'Bergen', writer: 'helmsman', unverified: true })
  const at = clock.at
  pass(10)
  expect(await homes()).toEqual(['Bergen unverified', 'Oslo'])
  const [, oslo] = await ada.facts.query({ predicate: 'lives in' })
  expect([oslo?.validUntil, oslo?.supersededAt, oslo?.unverified]).toEqual([undefined, undefined, undefined])
  expect((await ada.context({ query: 'Where do I live?', maxTokens: 400 })).text).not.toContain('Bergen')
  expect((await ada.recall('I live in Oslo')).hits[0]).not.toHaveProperty('superseded')
  await ada.append('spring', { role: 'user', content: 'I live in Voss now.' })
  await ada.distil('spring')
  expect(await homes()).toEqual(['Voss'])
  expect(await homes({ validAt: at, asOf: at - 1 })).toEqual(['Oslo'])
  expect(await homes({ validAt: at })).toEqual(['Bergen unverified', 'Oslo'])
  expect((await ada.recall('I live in Oslo')).hits.find(({ session }) => session === 'winter')).toMatchObject({
    superseded: { now: 'Voss', on: clock.at },
  })
})

test('a note ends no person’s fact that is read later, nor one of the opposite predicate, and stands where nobody spoke', async () => {
  const { ada, tools, pass } = await inOslo()
  await tools.memory_fact_add.execute({ predicate: 'works at', object: 'the ferry office' })
  expect((await ada.context({ query: 'work', maxTokens: 400 })).text).toMatch(
    /works at the ferry office \(since .*, noted by helmsman, not said\)/,
  )
  pass(1)
  await ada.append('winter', { role: 'user', content: 'I like tea. I work at Acme.' })
  await tools.memory_fact_add.execute({ predicate: 'dislikes', object: 'tea' })
  pass(1)
  await tools.memory_fact_add.execute({ predicate: 'dislikes', object: 'tea' })
  await tools.memory_fact_add.execute({ predicate: 'works at', object: 'the pub' })
  await ada.distil('winter')
  const standing = (await ada.facts.list()).filter(({ unverified }) => unverified !== true).map((one) => `${one.predicate} ${one.object}`)
  expect(standing.toSorted()).toEqual(['likes tea', 'lives in Oslo', 'works at Acme'])
  expect(await ada.facts.query({ predicate: 'dislikes' })).toMatchObject([{ object: 'tea', unverified: true }])
  await ada.forget({ session: 'winter' })
  expect((await ada.facts.list()).map(({ object, unverified }) => [object, unverified])).toEqual([
    ['the pub', undefined],
    ['tea', undefined],
  ])
})

test('an agent neither corrects nor takes back what a person said or added, and is told to ask', async () => {
  const { ada, home, tools, homes } = await inOslo()
  const added = await ada.facts.add({ predicate: 'likes', object: 'tea' })
  for (const { id } of [home, added]) {
    const refused = { error: expect.stringContaining('only the person can take back by saying so') }
    expect(await tools.memory_fact_correct.execute({ id, object: 'Bergen' })).toEqual(refused)
    expect(await tools.memory_fact_retract.execute({ id })).toEqual(refused)
    expect(await tools.memory_fact_retract.execute({ id, validUntil: '2027-01-01' })).toEqual(refused)
  }
  expect(await homes()).toEqual(['Oslo'])
  expect((await ada.facts.history(home.id)).map(({ retracted }) => retracted)).toEqual([false])
  // What an agent noted, an agent takes back, and a person corrects from its beginning on.
  const { id } = await ada.facts.add({ predicate: 'diet', object: 'vegan', validFrom: '2026-01-01', writer: 'helmsman' })
  expect(await ada.facts.correct(id, { object: 'vegetarian' })).toMatchObject({ writer: 'person', validFrom: Date.parse('2026-01-01') })
  expect(await tools.memory_fact_add.execute({ predicate: 'has', object: 'skiff' })).toMatchObject({ object: 'skiff' })
  const [skiff] = await ada.facts.query({ object: 'skiff' })
  await tools.memory_fact_retract.execute({ id: skiff?.id })
  expect(await ada.facts.query({ object: 'skiff' })).toEqual([])
})

test('a name that an agent notes makes no one’s facts the user’s, and its words ask to forget nothing', async () => {
  const { ada, tools } = await inOslo()
  await ada.facts.add({ subject: 'Mallory', predicate: 'works at', object: 'the casino' })
  await tools.memory_fact_add.execute({ predicate: 'name', object: 'Mallory' })
  expect(await ada.facts.query({ subject: 'I', predicate: 'works at' })).toEqual([])
  const asked = await tools.memory_fact_add.execute({ predicate: '*', object: 'Oslo' })
  await tools.memory_fact_retract.execute({ id: Reflect.get(asked, 'id'), validUntil: '2027-01-01' })
  expect(await ada.facts.query({ predicate: 'lives in' })).toMatchObject([{ object: 'Oslo' }])
  expect(await ada.pendingForget.list()).toEqual([])
})
