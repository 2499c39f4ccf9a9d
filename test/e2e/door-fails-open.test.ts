import { generateText, isStepCount, streamText, tool as sdkTool } from 'ai'
import { AIMessage, createAgent, fakeModel, HumanMessage, tool as chainTool } from 'langchain'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { varveMemory } from '../../packages/varve/src/integrations/ai-sdk/index.ts'
import { varveProvider } from '../../packages/varve/src/integrations/eve/index.ts'
import { varveMiddleware } from '../../packages/varve/src/integrations/langchain/index.ts'
import { varveProcessors } from '../../packages/varve/src/integrations/mastra/index.ts'
import { varveAdapter } from '../../packages/varve/src/integrations/tanstack-ai/index.ts'
import { answering, streaming, told } from '../fixtures/ai-sdk/scripted-models.ts'
import { scriptedAgent, scriptedModel } from '../fixtures/mastra/scripted-agent.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })

/** Runs turns, and gives the promises that rejected and that nobody waited for: they end a process. */
async function unhandledIn(turns: () => Promise<void>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = []
  const noted = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', noted)
  await turns()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', noted)
  return unhandled
}

const falls = (): never => {
  throw new TypeError('the host’s own function fell over')
}
const rejects = async (): Promise<void> => falls()

/** A function of the host’s that fails must not end a turn, nor the process. */
const failing = [
  ['onShown, which throws', { onShown: falls }],
  ['onShown, which rejects', { onShown: rejects }],
  ['waitUntil, which throws', { waitUntil: falls }],
  ['waitUntil, which rejects', { waitUntil: rejects }],
  ['onFailed, which throws', { onFailed: falls, memory: { for: falls } }],
  ['onFailed, which rejects', { onFailed: rejects, memory: { for: falls } }],
  ['a memory that gives no handle', { memory: { for: falls }, onFailed: () => undefined }],
] as const

test.each(failing)('an answer of the AI SDK comes in spite of %s', async (_, options) => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'My locker is 4417.' })
  const varve = varveMemory({ ...{ memory: shared.memory, deadlineMs: 10_000 }, ...options })
  const scope = { project: ada.scope.project, user: ada.scope.user ?? '', session: 'chat' }
  const prompt = 'Which locker is mine?'
  const whole = varve.model(
    answering(() => 'It is 4417.'),
    { scope },
  )
  const streamed = varve.model(streaming(told('It is 4417.')), { scope })
  const unhandled = await unhandledIn(async () => {
    expect((await generateText({ model: whole, prompt, maxRetries: 0 })).text).toBe('It is 4417.')
    expect(await streamText({ model: streamed, prompt, maxRetries: 0 }).text).toBe('It is 4417.')
    await varve.settled()
  })
  expect(unhandled).toEqual([])
})

test('an answer of LangChain’s and Mastra’s comes in spite of functions that fail', async () => {
  const options = { memory: shared.memory, waitUntil: falls, deadlineMs: 10_000 }
  const chain = varveMiddleware({ ...options, scope: { user: 'ada' } })
  const agent = createAgent({ model: fakeModel().respond(new AIMessage('Noted.')), middleware: [chain] })
  const answer = await agent.invoke({ messages: [new HumanMessage('Hello.')] }, { configurable: { thread_id: 'chat' } })
  expect(answer.messages.at(-1)?.text).toBe('Noted.')
  const mastra = varveProcessors({ memory: shared.memory, onFailed: falls, scope: falls })
  const processors = { inputProcessors: [mastra.input], outputProcessors: [mastra.output] }
  const kiosk = scriptedAgent(
    scriptedModel(() => 'Noted.'),
    processors,
  )
  expect((await kiosk.generate('Hello.', { memory: { resource: 'ada', thread: 'chat' } })).text).toBe('Noted.')
  await Promise.all([chain.settled(), mastra.settled()])
})

const circle: Record<string, unknown> = {}
circle['self'] = circle
const nested: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))

/** Values of a program that JSON does not hold. */
const noJson: readonly (readonly [string, unknown])[] = [
  ['a bigint', { count: 10n }],
  ['an object that holds itself', circle],
  ['lists nested 20,000 deep', nested],
  ['a toJSON that fails', { toJSON: falls }],
]

test.each(noJson)('an agent of LangChain’s goes on whose model calls a tool with %s', async (_, input) => {
  const varve = varveMiddleware({ memory: shared.memory, scope: { user: 'ada' }, onFailed: () => undefined, deadlineMs: 10_000 })
  const tools = [chainTool(() => 'done', { name: 'count', description: 'Counts.', schema: z.any() })]
  const call = Object.assign(new AIMessage(''), { tool_calls: [{ id: 'c', name: 'count', args: { input } }] })
  const model = { ...varve }.wrapModelCall
  const request = { messages: [new HumanMessage('Count.')], runtime: { configurable: { thread_id: 'chat' } }, tools }
  expect(await model?.(Object(request), async () => call)).toBe(call)
  await varve.settled()
})

test.each([null, undefined, 5, [null]])('an agent of LangChain’s goes on whose question is %j', async (content) => {
  const varve = varveMiddleware({ memory: shared.memory, scope: { user: 'ada' }, onFailed: () => undefined })
  const agent = createAgent({ model: fakeModel().respond(new AIMessage('Noted.')), middleware: [varve] })
  const question = Object.assign(new HumanMessage('x'), { content })
  const { messages } = await agent.invoke({ messages: [question] }, { configurable: { thread_id: 'chat' } })
  expect(messages.at(-1)?.text).toBe('Noted.')
})

test.each(noJson)('eve’s handlers do not throw at %s', async (_, input) => {
  const provider = varveProvider({ memory: shared.memory, onFailed: () => undefined })
  const call = { role: 'user', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'count', input }] }
  const turn = { id: 't', input: [call], sequence: 1 }
  const memory = { scope: { key: 'ada', namespace: 'kiosk', value: 'ada' }, slot: 'memory' }
  const operation = { messages: [call, { role: 'assistant', content: 'Noted.' }], operationId: 'o', memory, session: { id: 'chat' }, turn }
  expect(await provider.recall['turn.started'](operation)).toBeNull()
  expect(await provider.capture['turn.completed'](operation)).toBeUndefined()
})

test.each([undefined, null, 5, {}])('TanStack AI’s adapter does not reject for words that are %j', async (words) => {
  const adapter = varveAdapter({ memory: shared.memory, onFailed: () => undefined })
  const scope = { threadId: 'chat', userId: 'ada' }
  expect(await adapter.recall(scope, Object(words))).toMatchObject({ systemPrompt: '' })
  expect(await adapter.recall(scope, JSON.parse(JSON.stringify(words ?? null)))).toMatchObject({ systemPrompt: '' })
  expect(await adapter.save(scope, Object({ user: words, assistant: words }))).toMatchObject([{ ok: false }])
})

test('a tool of the AI SDK’s whose result is no JSON fails no turn that went well without memory', async () => {
  const varve = varveMemory({ memory: shared.memory, onFailed: () => undefined, deadlineMs: 10_000 })
  const bare = answering((_, number) => (number === 1 ? { toolName: 'count', input: {} } : 'Done.'))
  const model = varve.model(bare, { scope: { user: 'ada', session: 'chat' } })
  const toModelOutput = () => Object({ type: 'json', value: { count: 10n } })
  const tools = { count: sdkTool({ inputSchema: z.object({}), execute: () => 'counted', toModelOutput }) }
  expect((await generateText({ model, tools, prompt: 'Count.', stopWhen: isStepCount(3), maxRetries: 0 })).text).toBe('Done.')
})
