import { MemorySaver } from '@langchain/langgraph'
import {
  AIMessage,
  type BaseMessage,
  createAgent,
  fakeModel,
  HumanMessage,
  providerStrategy,
  SystemMessage,
  tool,
  ToolMessage,
  toolStrategy,
} from 'langchain'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import type { RemoteMemory } from '../../packages/varve/src/client/index.ts'
import { type MemoryMiddlewareOptions, varveMiddleware } from '../../packages/varve/src/integrations/langchain/index.ts'
import { order } from '../fixtures/hostile/attack.ts'
import { hostileTexts } from '../fixtures/hostile/attacks.ts'
import { heldBack } from '../fixtures/hostile/check.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })

/** Compiles: an agent takes a middleware over a memory at a server. */
export const atServer = (memory: RemoteMemory) =>
  createAgent({ model: fakeModel(), middleware: [varveMiddleware({ memory, scope: { user: 'ada' } })] })

const hours = tool(({ place }) => `${place} opens at ten`, {
  name: 'hours',
  description: 'Tells when a place opens.',
  schema: z.object({ place: z.string() }),
})
const called = (name: string, args = {}) => new AIMessage({ content: '', tool_calls: [{ id: 'c1', name, args }] })

function opened(replies: readonly (AIMessage | Error)[], more: Partial<MemoryMiddlewareOptions> = {}) {
  const ada = shared.user()
  const model = replies.reduce((built, reply) => built.respond(reply), fakeModel())
  const memory = varveMiddleware({ memory: shared.memory, scope: ada.scope, deadlineMs: 10_000, ...more })
  const agent = createAgent({ model, tools: [hours], middleware: [memory], systemPrompt: 'Be brief.' })
  const ask = async (content: string, thread_id = 'monday') => {
    const { messages } = await agent.invoke({ messages: [new HumanMessage(content)] }, { configurable: { thread_id } })
    await memory.settled()
    return messages
  }
  const kept = async (session = 'monday') => (await ada.messages(session)).map(({ role, content }) => `${role}: ${content}`)
  return { ada, agent, model, memory, ask, kept }
}

const said = (text: string) => new AIMessage(text)
const prompt = (messages: readonly BaseMessage[] | undefined) => messages?.map(({ type, text }) => `${type}: ${text}`) ?? []

test('a second session knows what the first one was told, and nothing that was shown is stored', async () => {
  const { model, ask, kept } = opened([said('Noted.'), said('No sesame.')])
  await ask('Jule is allergic to sesame.')
  const messages = await ask('What is Jule allergic to?', 'tuesday')
  const [system, context, question, ...others] = prompt(model.calls[1]?.messages)
  expect(system).toBe('system: Be brief.')
  expect(context).toMatch(/^human: <memory mark=[^]*Jule is allergic to sesame\.[^]*<\/memory mark="\w+">$/)
  expect([question, others]).toEqual(['human: What is Jule allergic to?', []])
  expect(messages.map(({ type }) => type)).toEqual(['human', 'ai'])
  expect(await kept()).toEqual(['user: Jule is allergic to sesame.', 'assistant: Noted.'])
  expect(await kept('tuesday')).toEqual(['user: What is Jule allergic to?', 'assistant: No sesame.'])
})

test('a turn with tools asks memory once, shows the same bytes to each call, and stores each message once', async () => {
  const { ada, model, ask, kept } = opened([called('hours', { place: 'kiosk' }), said('At ten.')], {})
  await ada.append('past', { role: 'user', content: 'The kiosk has two lamps.' })
  const asks = vi.spyOn(Object.getPrototypeOf(ada), 'context')
  onTestFinished(() => asks.mockRestore())
  await ask('When does the kiosk open?')
  const [first, second] = model.calls.map(({ messages }) => prompt(messages))
  expect(first).toHaveLength(3)
  expect(second?.slice(0, 3)).toEqual(first)
  expect(asks).toHaveBeenCalledTimes(1)
  expect(await kept()).toEqual([
    'user: When does the kiosk open?',
    'assistant: hours({"place":"kiosk"})',
    'tool: hours: kiosk opens at ten',
    'assistant: At ten.',
  ])
})

test('a memory that a tool made Varve forget is not shown again in the same turn', async () => {
  const { ada, memory } = opened([])
  const { messages } = await ada.append('past', { role: 'user', content: 'The cellar key is under the pot.' })
  const forget = tool(async () => (await ada.forget({ messages: messages.map(({ id }) => id) })).logical, {
    name: 'drop',
    description: 'Forgets.',
    schema: z.object({}),
  })
  const model = fakeModel().respond(called('drop')).respond(said('Done.'))
  await createAgent({ model, tools: [forget], middleware: [memory] }).invoke({ messages: [new HumanMessage('Forget the cellar key.')] })
  const [first, second] = model.calls.map(({ messages }) => prompt(messages).join('\n'))
  expect(first).toContain('under the pot')
  expect(second).not.toContain('under the pot')
})

test('a host that sends its whole history has each turn stored once, also when a turn comes again', async () => {
  const { agent, memory, kept } = opened([said('One.'), said('Two.'), said('Two.'), said('Three.')])
  const config = { configurable: { thread_id: 'monday' } }
  const history: BaseMessage[] = [new SystemMessage('You are a clerk.'), new HumanMessage('First?')]
  const [one, two] = [new AIMessage('One.'), new HumanMessage('Second?')]
  await agent.invoke({ messages: history }, config)
  for (let again = 0; again < 2; again += 1) await agent.invoke({ messages: [...history, one, two] }, config)
  await agent.invoke({ messages: [...history, one, two, new AIMessage('Two.'), new HumanMessage('Second?')] }, config)
  await memory.settled()
  expect(await kept()).toEqual([
    'user: First?',
    'assistant: One.',
    'user: Second?',
    'assistant: Two.',
    'user: Second?',
    'assistant: Three.',
  ])
})

test('a host that sends only its newest message is told of the turns before, and may say “yes” twice', async () => {
  const { model, ask, kept } = opened([said('Shall I?'), said('Once more?')])
  await ask('yes')
  await ask('yes')
  expect(prompt(model.calls[1]?.messages).join('\n')).toContain('Shall I?')
  expect(await kept()).toEqual(['user: yes', 'assistant: Shall I?', 'user: yes', 'assistant: Once more?'])
})

test('with a checkpointer each turn is stored once', async () => {
  const { ada, memory } = opened([])
  const model = fakeModel()
    .respond(called('hours', { place: 'kiosk' }))
    .respond(said('At ten.'))
    .respond(said('On Sundays too.'))
  const agent = createAgent({ model, tools: [hours], middleware: [memory], checkpointer: new MemorySaver() })
  for (const content of ['When does it open?', 'And on Sundays?'])
    await agent.invoke({ messages: [new HumanMessage(content)] }, { configurable: { thread_id: 'monday' } })
  await memory.settled()
  expect((await ada.messages('monday')).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'assistant'])
  expect(prompt(model.calls[2]?.messages).filter((line) => line.includes('At ten.'))).toHaveLength(1)
})

test.each(['tool', 'provider'] as const)('an answer to a schema is stored as it was said: by the %s', async (strategy) => {
  const { ada, memory, kept } = opened([])
  const schema = z.object({ soup: z.string() })
  const answer = { soup: 'pea' }
  const byTool = toolStrategy(schema)
  const name = byTool[0]?.name ?? ''
  const model = fakeModel().respond(strategy === 'tool' ? called(name, answer) : said(JSON.stringify(answer)))
  const means = { model, tools: [hours], middleware: [memory] }
  const asked = { messages: [new HumanMessage('Which soup?')] }
  const config = { configurable: { thread_id: 'monday' } }
  const { structuredResponse } =
    strategy === 'tool'
      ? await createAgent({ ...means, responseFormat: byTool }).invoke(asked, config)
      : await createAgent({ ...means, responseFormat: providerStrategy(schema) }).invoke(asked, config)
  expect(structuredResponse).toEqual(answer)
  await memory.settled()
  expect(await kept()).toEqual(
    strategy === 'tool'
      ? [
          ...['user: Which soup?', `assistant: ${name}({"soup":"pea"})`, `tool: ${name}: {"soup":"pea"}`],
          'assistant: Returning structured response: {"soup":"pea"}',
        ]
      : ['user: Which soup?', 'assistant: {"soup":"pea"}'],
  )
  expect(await ada.sessions.list()).toHaveLength(1)
})

test('a stream gives the words, and stores what an invocation stores', async () => {
  const { agent, memory, kept } = opened([called('hours', { place: 'kiosk' }), said('At ten.')])
  const steps = await agent.stream(
    { messages: [new HumanMessage('When?')] },
    { configurable: { thread_id: 'monday' }, streamMode: 'values' },
  )
  const seen: unknown[] = await Array.fromAsync(steps)
  await memory.settled()
  expect(JSON.stringify(seen)).not.toContain('<memory')
  expect(await kept()).toHaveLength(4)
})

test('an agent whose model fails keeps what was said until then, and its error is the model’s', async () => {
  const { ask, memory, kept } = opened([called('hours', { place: 'kiosk' }), new TypeError('the provider fell over')])
  await expect(ask('When does it open?')).rejects.toThrow('the provider fell over')
  await memory.settled()
  expect(await kept()).toEqual(['user: When does it open?', 'assistant: hours({"place":"kiosk"})', 'tool: hours: kiosk opens at ten'])
})

test('many users by the context of the invocation never mix', async () => {
  const project = shared.user().scope.project
  const model = fakeModel().respond(said('Noted.')).respond(said('I do not know.')).respond(said('Blue.'))
  const memory = varveMiddleware({
    memory: shared.memory,
    scope: ({ context }) => ({ project, user: String(Object(context).userId) }),
    session: 'monday',
    deadlineMs: 10_000,
  })
  const agent = createAgent({ model, tools: [], middleware: [memory], contextSchema: z.object({ userId: z.string() }) })
  const ask = async (userId: string, content: string) => {
    await agent.invoke({ messages: [new HumanMessage(content)] }, { context: { userId } })
    await memory.settled()
  }
  await ask('ada', 'My door is blue.')
  await ask('bob', 'Which colour has my door?')
  expect(prompt(model.calls[1]?.messages).join('\n')).not.toContain('blue')
  await ask('ada', 'Which colour has my door?')
  expect(prompt(model.calls[2]?.messages).join('\n')).toContain('My door is blue.')
  expect(await shared.memory.for({ project, user: 'bob' }).messages('monday')).toHaveLength(2)
  expect(await shared.memory.for({ project }).sessions.list()).toEqual([])
})

test.each([
  ['late', { context: () => new Promise(() => undefined) }, ['context memory-late']],
  ['failing', { context: () => Promise.reject(new TypeError('gone')) }, ['context memory-failed']],
  ['full', { append: () => Promise.reject(new TypeError('full')) }, ['append STORE_FAILED']],
])('a memory that is %s costs the turn its memory, and the answer comes', async (_, broken, expected) => {
  const told = new Set<string>()
  const of = shared.user()
  await of.append('past', { role: 'user', content: 'Two lamps.' })
  const { ask } = opened([said('Two.')], {
    memory: { for: () => Object.assign(Object.create(of), broken) },
    deadlineMs: 'append' in broken ? 10_000 : 5,
    onFailed: (doing, reason) => void told.add(`${doing} ${reason}`),
  })
  expect((await ask('How many lamps?')).at(-1)?.text).toBe('Two.')
  expect([...told]).toEqual(expected)
})

test('a scope that is none costs the turn its memory, and no other user’s is read', async () => {
  const told: string[] = []
  const nobody: () => { project: string } = () => Object.assign({ project: 'pier' }, { user: undefined })
  const { ask, model } = opened([said('Two.')], { scope: nobody, onFailed: (...why) => told.push(...why) })
  expect((await ask('How many lamps?')).at(-1)?.text).toBe('Two.')
  expect(model.calls[0]?.messages).toHaveLength(2)
  expect(told).toEqual(['context', 'SCOPE_INVALID'])
})

test('without a thread nothing is stored, and the model reads what is known', async () => {
  const { ada, agent, memory, model } = opened([said('Two.')])
  await ada.append('past', { role: 'user', content: 'The kiosk has two lamps.' })
  await agent.invoke({ messages: [new HumanMessage('How many lamps has the kiosk?')] })
  await memory.settled()
  expect(prompt(model.calls[0]?.messages).join('\n')).toContain('two lamps')
  expect(await ada.sessions.list()).toHaveLength(1)
})

test('parts of messages are stored by their words; Varve’s own tools, system messages and thoughts are not', async () => {
  const { agent, memory, ada } = opened([said('Done.')])
  const messages = [
    new SystemMessage('An order.'),
    new AIMessage('Hello.'),
    new HumanMessage({
      content: [
        { type: 'text', text: 'Look: \0 \ud800' },
        { type: 'image_url', image_url: 'data:image/png;base64,AAAA' },
      ],
      name: 'Ada',
    }),
    new AIMessage({
      content: [
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'text', text: 'I look.' },
      ],
      tool_calls: [{ id: 'c1', name: 'memory_recall', args: {} }],
    }),
    new ToolMessage({ tool_call_id: 'c1', name: 'memory_recall', content: 'something remembered' }),
  ]
  await agent.invoke({ messages }, { configurable: { thread_id: 'monday' } })
  await memory.settled()
  const kept = await ada.messages('monday')
  expect(kept.map(({ role, name, content }) => [role, name, content])).toEqual([
    ['user', 'Ada', 'Look: \ufffd \ufffd\n\n[file image]'],
    ['assistant', undefined, 'I look.'],
    ['assistant', undefined, 'Done.'],
  ])
})

test('a hundred rounds add their own messages and nothing that was shown', async () => {
  const { ada, ask } = opened(Array.from({ length: 100 }, () => said('Two.')))
  await ada.append('past', { role: 'user', content: 'The kiosk has two lamps, a stove and a green awning from 1962.' })
  for (let round = 0; round < 100; round += 1) await ask('How many lamps has the kiosk?', `day ${round}`)
  const all = await ada.timeline({ limit: 1_000 })
  expect(all).toHaveLength(201)
  expect(all.filter(({ content }) => content.includes('awning'))).toHaveLength(1)
})

test('hostile text stays within the fence', async () => {
  const { ada, ask, model } = opened([said('No.')], { maxTokens: 20_000 })
  const attacks = hostileTexts.filter(({ family, isName, isLong }) => family !== 'directions' && isName !== true && isLong !== true)
  await ada.append(
    'past',
    attacks.map(({ text }) => ({ role: 'user' as const, content: `${order} ${text}` })),
  )
  await ask(order)
  const shown = String(model.calls[0]?.messages[1]?.content)
  expect(shown.match(/<\/?memory/g)).toHaveLength(2)
  expect(attacks.flatMap((one) => heldBack(shown, one))).toEqual([])
})
