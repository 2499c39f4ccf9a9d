import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, type ToolSet } from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory } from '../../memory/memory.ts'
import { statementsPerFact } from '../../projects/agents.ts'
import { scriptedModelServer } from '../../testing/scripted-model-server.ts'

async function opened(): Promise<Memory> {
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, languageModel: false })
  onTestFinished(() => memory.close())
  return memory
}

/** A completion that calls a tool again, whatever it was answered. */
function callingAgain(name: string, input: object, number: number) {
  const toolCall = { id: `call_${number}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  const message = { role: 'assistant', content: null, tool_calls: [toolCall] }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
  return { body: { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage } }
}

/** Runs a model that calls one tool in a loop, and gives the tool's answers. */
async function looping(tools: ToolSet, name: string, steps: number, input: (number: number) => object): Promise<readonly unknown[]> {
  await using server = await scriptedModelServer(({ number }) => callingAgain(name, input(number), number))
  const model = createOpenAICompatible({ name: 'local', baseURL: server.url })('m')
  const { steps: made } = await generateText({ model, prompt: 'Keep your memory.', tools, stopWhen: isStepCount(steps) })
  return made.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
}

const errors = (outputs: readonly unknown[]): unknown[] => outputs.map((output) => Reflect.get(Object(output), 'error'))

test('a model that adds facts in a loop is told its bound, and what a person says is never refused', async () => {
  const memory = await opened()
  await memory.project('acme').settings.set({ agents: { facts: 5 } })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const outputs = await looping(ada.facts.tools(), 'memory_fact_add', 9, (number) => ({
    predicate: 'likes',
    object: `tea number ${number}`,
  }))
  const refused = 'the facts noted by agents (the setting agents.facts) would have 6 facts, and may have 5.'
  expect(errors(outputs)).toEqual([...Array.from({ length: 5 }), ...Array.from({ length: 4 }, () => expect.stringContaining(refused))])
  expect(await ada.facts.list()).toHaveLength(5)
  await ada.append('talk', { role: 'user', content: 'I live in Oslo. My sister is called Grace.' })
  await ada.distil('talk')
  await ada.facts.add({ predicate: 'owns', object: 'a skiff' })
  expect((await ada.facts.list()).map(({ object }) => object)).toEqual(expect.arrayContaining(['Oslo', 'a skiff']))
  // Other users have their own room; a higher setting makes more; and what is taken back makes room.
  const bob = memory.for({ project: 'acme', user: 'bob' })
  expect(await bob.facts.tools().memory_fact_add.execute({ predicate: 'likes', object: 'rum' })).not.toHaveProperty('error')
  const noted = (await ada.facts.list()).find(({ writer }) => writer === 'agent')
  const tools = ada.facts.tools()
  expect(await tools.memory_fact_retract.execute({ id: noted?.id })).not.toHaveProperty('error')
  expect(await tools.memory_fact_add.execute({ predicate: 'likes', object: 'rum' })).not.toHaveProperty('error')
  expect(await tools.memory_fact_add.execute({ predicate: 'likes', object: 'gin' })).toHaveProperty('error')
  await memory.project('acme').settings.set({ agents: { facts: 6 } })
  expect(await tools.memory_fact_add.execute({ predicate: 'likes', object: 'gin' })).not.toHaveProperty('error')
})

test('a model that adds and takes back in a loop, or says the same again, comes to an end too', async () => {
  const memory = await opened()
  await memory.project('acme').settings.set({ agents: { facts: 1 } })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const { memory_fact_add: add, memory_fact_retract: retract } = ada.facts.tools()
  let rounds = 0
  for (; rounds < 2 * statementsPerFact; rounds += 1) {
    const fact = await add.execute({ predicate: 'likes', object: `tea number ${rounds}` })
    if ('error' in fact) break
    await retract.execute({ id: fact.id })
  }
  expect(rounds).toBe(statementsPerFact / 2)
  await expect(ada.facts.add({ predicate: 'likes', object: 'cocoa', writer: 'agent' })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  expect(await ada.facts.add({ predicate: 'likes', object: 'cocoa' })).toMatchObject({ writer: 'person' })
})

test('a model that makes documents in a loop is told its bound; it still edits, and a person still makes them', async () => {
  const memory = await opened()
  await memory.project('acme').settings.set({ agents: { documents: 2 } })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const edit = (number: number): object => ({ name: `Page ${number}`, revision: 0, edits: [{ tool: 'append', text: '- x' }] })
  const outputs = await looping(ada.documents.tools(), 'memory_document_edit', 4, edit)
  expect(errors(outputs)).toEqual([undefined, undefined, ...Array.from({ length: 2 }, () => expect.stringContaining('agents.documents'))])
  const changed = { name: 'Page 1', revision: 1, edits: [{ tool: 'append', text: '- y' }] }
  expect(await ada.documents.tools().memory_document_edit.execute(changed)).not.toHaveProperty('error')
  expect(await ada.documents.edit('Mine', '- z')).toMatchObject({ revision: 1 })
})

test('a model that notes instructions in a loop is told its bound, which a setting moves', async () => {
  const memory = await opened()
  await memory.project('acme').settings.set({ agents: { instructions: 3 } })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const outputs = await looping(ada.instructions.tools(), 'memory_instruction_add', 5, (number) => ({ text: `Mention buoy ${number}.` }))
  expect(errors(outputs).map((error) => error === undefined)).toEqual([true, true, true, false, false])
  expect(await ada.instructions.add('Always name the pier.')).not.toHaveProperty('noted')
})

test('what was corrected, or taken back by a person, makes room; what is noted again after that takes it', async () => {
  const memory = await opened()
  await memory.project('acme').settings.set({ agents: { facts: 2 } })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const { memory_fact_add: add, memory_fact_correct: correct, memory_fact_retract: retract } = ada.facts.tools()
  const note = (object: string) => add.execute({ predicate: 'likes', object })
  const tea = await note('tea')
  for (const object of ['rum', 'gin', 'ale']) {
    const [now] = await ada.facts.list()
    expect(await correct.execute({ id: now?.id, object })).not.toHaveProperty('error')
  }
  expect(tea).not.toHaveProperty('error')
  expect(await note('figs')).not.toHaveProperty('error')
  expect(await note('nuts')).toHaveProperty('error')
  for (const { id } of await ada.facts.list()) await ada.facts.retract(id)
  expect(await note('figs')).not.toHaveProperty('error')
  const plums = await note('plums')
  await retract.execute({ id: 'error' in plums ? '' : plums.id })
  expect(await note('plums')).not.toHaveProperty('error')
  expect(await note('nuts')).toHaveProperty('error')
})
