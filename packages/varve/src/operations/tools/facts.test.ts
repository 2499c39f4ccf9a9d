import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs, type ToolSet } from 'ai'
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
  const { id } = await ada.facts.add({ predicate: 'likes', object: 'tea' })
  const sources = [{ message: '01a1fe5f-52bf-7573-9d35-de1f00000001' }]
  const calls: readonly (readonly [string, object])[] = [
    ['memory_fact_add', { subject: 'I', predicate: 'lives in', object: 'Hven', writer: 'person', sources }],
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
    stopWhen: stepCountIs(10),
  })
  const home = { predicate: 'lives in', object: 'Hven', writer: 'helmsman' }
  expect(steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))).toMatchObject([
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
