import { Agent, type AgentInputItem, Runner, setTracingDisabled } from '@openai/agents-core'
import { assistantMessage, ScriptedModel } from '@openai/agents-core/testing'
import { generateText, wrapLanguageModel } from 'ai'
import { AIMessage, createAgent, fakeModel, HumanMessage } from 'langchain'
import { expect, test } from 'vitest'
import { InvalidScope } from '../../packages/varve/src/index.ts'
import { varveMemory } from '../../packages/varve/src/integrations/ai-sdk/index.ts'
import { varveMiddleware } from '../../packages/varve/src/integrations/langchain/index.ts'
import { varveStore } from '../../packages/varve/src/integrations/langgraph/index.ts'
import { varveSession } from '../../packages/varve/src/integrations/openai-agents/index.ts'
import { answering } from '../fixtures/ai-sdk/scripted-models.ts'
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
