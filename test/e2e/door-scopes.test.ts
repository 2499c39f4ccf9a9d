import { Agent, type AgentInputItem, Runner, setTracingDisabled } from '@openai/agents-core'
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing'
import { generateText, wrapLanguageModel } from 'ai'
import { AIMessage, createAgent, fakeModel, HumanMessage } from 'langchain'
import { expect, test } from 'vitest'
import { InvalidScope } from '../../packages/varve/src/index.ts'
import { varveMemory } from '../../packages/varve/src/integrations/ai-sdk/index.ts'
import { varveProvider } from '../../packages/varve/src/integrations/eve/index.ts'
import { varveMiddleware } from '../../packages/varve/src/integrations/langchain/index.ts'
import { varveStore } from '../../packages/varve/src/integrations/langgraph/index.ts'
import { varveProcessors } from '../../packages/varve/src/integrations/mastra/index.ts'
import { varveSession } from '../../packages/varve/src/integrations/openai-agents/index.ts'
import { varveAdapter } from '../../packages/varve/src/integrations/tanstack-ai/index.ts'
import { answering } from '../fixtures/ai-sdk/scripted-models.ts'
import { scriptedAgent, scriptedModel } from '../fixtures/mastra/scripted-agent.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

setTracingDisabled(true)
const shared = sharedMemory({ embeddingModel: false, languageModel: false })

/** What somebody may write in plain JavaScript in the place of a scope. */
const promised = (user: string): object => Promise.resolve({ user })
const inherited = (user: string): object => Object.assign(Object.create({ user }), {})

/** What everybody would share. */
const anonymous = async (): Promise<number> => (await shared.memory.for({}).timeline({ limit: 10 })).length

test.each([
  ['a promise', promised],
  ['inherited fields', inherited],
])('the AI SDK’s door takes no scope of %s', async (_, made) => {
  const model = answering(() => 'Noted.')
  const varve = varveMemory({ memory: shared.memory })
  expect(() => varve.tools({ scope: made('ada') })).toThrow(/scope must be a plain/)
  expect(() => varve.model(model, { scope: made('ada') })).toThrow(/scope must be a plain/)
  const wrapped = wrapLanguageModel({ model, middleware: varve.middleware })
  const varveOptions = Object.assign(made('ada'), { session: 'chat' })
  await expect(generateText({ model: wrapped, prompt: 'Hello.', providerOptions: { varve: varveOptions } })).rejects.toThrow(InvalidScope)
  expect(await anonymous()).toBe(0)
})

test('a graph’s store whose scope is a promise refuses to store', async () => {
  const store = varveStore({ memory: shared.memory, scope: ([user = '']) => promised(user) })
  await expect(store.put(['ada'], 'key', { text: 'The locker of Ada is 4417.' })).rejects.toThrow(InvalidScope)
  await expect(store.search(['bob'])).rejects.toThrow(InvalidScope)
  expect(await anonymous()).toBe(0)
})

test('a session of agents whose scope is a promise refuses the run', async () => {
  const session = varveSession<AgentInputItem>({ memory: shared.memory, scope: () => promised('ada'), session: 'chat' })
  const agent = new Agent({ name: 'clerk', model: new ScriptedModel([[assistantMessage('Noted.')]]) })
  const run = new Runner({ tracingDisabled: true }).run(agent, 'The locker of Ada is 4417.', { session })
  await expect(run).rejects.toThrow(InvalidScope)
  expect(await anonymous()).toBe(0)
})

test('an agent of LangChain whose scope is a promise goes without memory', async () => {
  const failed: string[] = []
  const onFailed = (_doing: string, reason: string): void => void failed.push(reason)
  const varve = varveMiddleware({ memory: shared.memory, scope: () => promised('ada'), onFailed })
  const agent = createAgent({ model: fakeModel().respond(new AIMessage('Noted.')), middleware: [varve] })
  await agent.invoke({ messages: [new HumanMessage('The locker of Ada is 4417.')] }, { configurable: { thread_id: 'chat' } })
  await varve.settled()
  expect(failed).toEqual(['SCOPE_INVALID'])
  expect(await anonymous()).toBe(0)
})

/** Ids that everybody has who has none. */
const noIds: readonly unknown[] = [undefined, null, '', ' \t', 5]

test.each(noIds)('a thread of TanStack AI whose id is %j has no memory', async (threadId) => {
  const varve = varveAdapter({ memory: shared.memory, onFailed: () => undefined })
  const scope = Object({ threadId })
  expect(await varve.save(scope, { user: 'My locker is 4417.', assistant: 'Noted.' })).toMatchObject([
    { ok: false, error: 'SCOPE_INVALID' },
  ])
  expect(await varve.recall(scope, 'Which locker is mine?')).toEqual({ systemPrompt: '', fragments: [] })
})

test.each(noIds)('a scope of eve’s whose key is %j has no memory', async (key) => {
  const failed: string[] = []
  const provider = varveProvider({ memory: shared.memory, onFailed: (_, reason) => void failed.push(reason) })
  const scope = Object({ key, namespace: 'kiosk', value: 'ada' })
  const turn = { id: 't', input: [{ role: 'user', content: 'My locker is 4417.' }], sequence: 1 }
  const operation = { messages: turn.input, operationId: 'o', memory: { scope, slot: 'memory' }, session: { id: 'chat' }, turn }
  await provider.capture['turn.completed'](operation)
  expect(await provider.recall['turn.started'](operation)).toBeNull()
  expect(new Set(failed)).toEqual(new Set(['SCOPE_INVALID']))
})

test('a run of Mastra’s whose resource is blank has no memory', async () => {
  const failed: string[] = []
  const varve = varveProcessors({ memory: shared.memory, onFailed: (_, reason) => void failed.push(reason) })
  const agent = scriptedAgent(
    scriptedModel(() => 'Noted.'),
    { inputProcessors: [varve.input], outputProcessors: [varve.output] },
  )
  await agent.generate('My locker is 4417.', { memory: { resource: '  ', thread: 'chat' } })
  await varve.settled()
  expect(new Set(failed)).toEqual(new Set(['SCOPE_INVALID']))
})
