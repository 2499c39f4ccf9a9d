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

/** A completion that calls a tool, or ends the talk. */
function calling(call: readonly [string, object] | undefined, number: number) {
  if (call === undefined) return { text: 'Done.' }
  const [name, input] = call
  const toolCall = { id: `call_${number}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  const message = { role: 'assistant', content: null, tool_calls: [toolCall] }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return {
    body: {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage,
    },
  }
}

test('an agent of the AI SDK lists, sets, appends and deletes; what it wrote says who, and during which messages', async () => {
  const memory = await opened()
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await memory.project('acme').blocks.set('rules', 'Hang the oars up.')
  await ada.append('talk', [
    { role: 'user', content: 'I moved to Hven.' },
    { role: 'assistant', content: 'Noted.' },
  ])
  const calls = [
    ['memory_block_set', { name: 'home', text: 'Ada lives on Hven.' }],
    ['memory_block_append', { name: 'home', text: 'She has a skiff.' }],
    ['memory_block_set', { name: 'mood', text: 'merry', scope: 'session' }],
    ['memory_block_set', { name: 'old', text: 'x' }],
    ['memory_block_delete', { name: 'old' }],
    ['memory_block_set', { name: 'long', text: 'x'.repeat(5_001) }],
    ['memory_block_delete', { name: 'rules' }],
    ['memory_block_set', { name: 'home', text: '' }],
    ['memory_block_list', {}],
  ] as const
  await using server = await scriptedModelServer(({ number }) => calling(calls[number - 1], number))
  const tools: ToolSet = ada.blocks.tools({ session: 'talk', writer: 'helmsman' })
  const { steps, text } = await generateText({
    model: createOpenAICompatible({ name: 'local', baseURL: server.url })('m'),
    prompt: 'Keep your memory.',
    tools,
    stopWhen: isStepCount(20),
  })
  expect(text).toBe('Done.')
  const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
  expect(outputs).toEqual([
    { name: 'home', scope: 'user', chars: 18, maxChars: 5_000 },
    { name: 'home', scope: 'user', chars: 35, maxChars: 5_000 },
    { name: 'mood', scope: 'session', chars: 5, maxChars: 5_000 },
    { name: 'old', scope: 'user', chars: 1, maxChars: 5_000 },
    { deleted: 'old' },
    { error: expect.stringContaining('5001 characters, and may have 5000') },
    { error: 'no block "rules" here.' },
    { error: expect.stringContaining('text must be words') },
    {
      blocks: [
        { name: 'home', scope: 'user', text: 'Ada lives on Hven.\nShe has a skiff.', chars: 35, maxChars: 5_000 },
        { name: 'rules', scope: 'project', text: 'Hang the oars up.', chars: 17, maxChars: 5_000, readOnly: true },
        { name: 'mood', scope: 'session', text: 'merry', chars: 5, maxChars: 5_000 },
      ],
    },
  ])
  const offered = JSON.parse(JSON.stringify(server.requests[0]?.body['tools']))
  expect(offered.map(({ function: { name } }: { function: { name: string } }) => name)).toEqual([
    'memory_block_list',
    'memory_block_set',
    'memory_block_append',
    'memory_block_delete',
  ])
  expect(offered[1].function.parameters).toMatchObject({
    type: 'object',
    properties: { name: { type: 'string' }, text: { type: 'string' }, scope: { enum: ['user', 'session'] } },
    required: ['name', 'text'],
    additionalProperties: false,
  })
  expect((await ada.blocks.revisions('home')).map(({ writer, lineage }) => ({ writer, lineage }))).toEqual(
    Array.from({ length: 2 }, () => ({ writer: 'helmsman', lineage: [{ session: 'talk', from: 1, to: 2 }] })),
  )
  expect(await ada.blocks.get('home')).toMatchObject({ writer: 'helmsman' })
  expect((await ada.recall('skiff', { kinds: ['block'] })).hits).toMatchObject([
    { name: 'home', writer: 'helmsman', lineage: [{ session: 'talk', from: 1, to: 2 }] },
  ])
  await ada.forget({ session: 'talk' })
  expect((await ada.blocks.revisions('home')).map(({ lineage }) => lineage)).toEqual([[]])
  expect(await ada.blocks.get('home')).toMatchObject({ text: 'She has a skiff.' })
})

test('whatever a model gives, it is told what was wrong, and nothing is thrown', async () => {
  const ada = (await opened()).for('ada')
  const { memory_block_set: set, memory_block_delete: remove, memory_block_list: list } = ada.blocks.tools()
  for (const input of [
    {},
    { name: 'x' },
    { name: 7, text: 'y' },
    { name: '..', text: 'y' },
    { name: 'x', text: 'y', scope: 'session' },
    { name: 'x', text: 'y', scope: 'all' },
    null,
    'text',
    [],
  ]) {
    expect(await Reflect.apply(set.execute, set, [input]), JSON.stringify(input)).toEqual({ error: expect.stringMatching(/ must be /) })
    expect(await Reflect.apply(remove.execute, remove, [input]), JSON.stringify(input)).toEqual({ error: expect.any(String) })
  }
  expect(await set.execute({ name: 'x', text: 'y' }, { abortSignal: AbortSignal.abort() })).toEqual({ error: expect.any(String) })
  expect(await list.execute({})).toEqual({ blocks: [] })
  expect(set.inputSchema['~standard'].jsonSchema.input({ target: 'draft-07' })).not.toHaveProperty('properties.scope')
})
