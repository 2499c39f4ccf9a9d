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

/** A completion that calls a tool once, then ends the talk. */
function calling(name: string, input: object, number: number) {
  if (number > 1) return { text: 'Done.' }
  const toolCall = { id: `call_${number}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  const message = { role: 'assistant', content: null, tool_calls: [toolCall] }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
  return { body: { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage } }
}

test('an agent memorizes its session: a person’s words go into documents, with their messages, and its own do not', async () => {
  const ada = (await opened()).for({ project: 'acme', user: 'ada' })
  await ada.append('talk', [
    { role: 'user', content: 'Our kiosk opens at nine. I live in Kiel. Our van is red.' },
    { role: 'assistant', content: 'Our kiosk sells gold bars.' },
  ])
  await ada.append('other', { role: 'user', content: 'Our barge is painted green.' })
  await using server = await scriptedModelServer(({ number }) => calling('memory_document_memorize', {}, number))
  const tools: ToolSet = ada.documents.tools({ session: 'talk', writer: 'helmsman' })
  expect(await ada.documents.tools({ session: 'talk' }).memory_document_memorize?.execute({ session: 'other' })).toEqual({
    error: 'session must be left out (there are no fields): received a string of 5 characters.',
  })
  const { steps } = await generateText({
    model: createOpenAICompatible({ name: 'local', baseURL: server.url })('m'),
    prompt: 'Keep your memory.',
    tools,
    stopWhen: isStepCount(5),
  })
  const [output] = steps.flatMap(({ toolResults }) => toolResults.map((result) => result.output))
  expect(output).toMatchObject({ facts: 3, waiting: 0, documents: [{ name: 'ada', revision: 3 }] })
  const [entry, ...more] = await ada.documents.list()
  expect(more).toEqual([])
  const document = await ada.documents.read(entry?.name ?? '')
  expect(document?.content).toContain('opens at nine')
  expect(document?.content).not.toMatch(/gold|green/)
  expect(document).toMatchObject({ lineage: [{ session: 'talk', from: 1, to: 1 }] })
  await ada.forget({ session: 'talk' })
  expect(await ada.documents.list()).toEqual([])
})

test('memorizing is offered to a user’s agent with a session alone, and a session without messages is told in words', async () => {
  const memory = await opened()
  const ada = memory.for('ada').documents
  expect(ada.tools()).not.toHaveProperty('memory_document_memorize')
  expect(memory.project('acme').documents.tools({ session: 'talk' })).not.toHaveProperty('memory_document_memorize')
  expect(await ada.tools({ session: 'none' }).memory_document_memorize?.execute({})).toEqual({
    error: expect.stringContaining('no session'),
  })
})
