import { generateObject, isStepCount, streamText, tool, ToolLoopAgent, wrapLanguageModel } from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../../packages/varve/src/client/index.ts'
import { withTools } from '../../packages/varve/src/client/tools.ts'
import { varveMemory } from '../../packages/varve/src/integrations/ai-sdk/index.ts'
import { isOwnTool } from '../../packages/varve/src/turns/own-tools.ts'
import { answering, promptOf, streaming, told, toolCalled } from '../fixtures/ai-sdk/scripted-models.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { served } from '../fixtures/wire/served.ts'

const shared = sharedMemory({ embeddingModel: false })
const tools = { hours: tool({ inputSchema: z.object({ place: z.string() }), execute: async () => ({ opens: '10:00' }) }) }
const fact = 'The kiosk at the pier sells pea soup on Mondays.'
const question = 'What soup does the kiosk at the pier sell?'

test('ToolLoopAgent: one agent for all users, whose calls name theirs', async () => {
  const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000 })
  const model = answering((call, number) =>
    number === 1 ? { toolName: 'hours', input: { place: 'kiosk' } } : `You are ${promptOf(call).length}.`,
  )
  const agent = new ToolLoopAgent({
    model: wrapLanguageModel({ model, middleware: varve.middleware }),
    tools,
    callOptionsSchema: z.object({ user: z.string(), session: z.string() }),
    prepareCall: ({ options, ...call }) => ({ ...call, providerOptions: { varve: { project: 'agents', ...options } } }),
  })
  const ada = shared.memory.for({ project: 'agents', user: 'ada' })
  await ada.append('past', { role: 'user', content: fact })
  await agent.generate({ prompt: question, options: { user: 'ada', session: 'a' } })
  await agent.generate({ prompt: question, options: { user: 'bob', session: 'b' } })
  await varve.settled()
  const [first, second, ofBob] = model.doGenerateCalls.map(promptOf)
  expect(first).toContain('pea soup on Mondays')
  expect(second).toContain('pea soup on Mondays')
  expect(ofBob).toBe(`user: ${question}`)
  const kept = await ada.messages('a')
  expect(kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect((await shared.memory.for({ project: 'agents', user: 'bob' }).messages('b')).map(({ role }) => role)).toEqual(['user', 'assistant'])
})

test('generateObject gives its object, with memory', async () => {
  const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000 })
  const scope = { project: 'objects', user: 'ada', session: 'chat' }
  const ada = shared.memory.for({ project: 'objects', user: 'ada' })
  await ada.append('past', { role: 'user', content: fact })
  const model = answering(() => '{"soup":"pea"}')
  const { object } = await generateObject({
    model: varve.model(model, { scope }),
    schema: z.object({ soup: z.string() }),
    prompt: question,
  })
  await varve.settled()
  expect(object).toEqual({ soup: 'pea' })
  expect(promptOf(model.doGenerateCalls[0])).toContain('pea soup on Mondays')
  expect((await ada.messages('chat')).map(({ content }) => content)).toEqual([question, '{"soup":"pea"}'])
})

test('a memory at a server does as the library’s: a tool loop, one recall, each message once', async () => {
  const { url, close } = await served(shared.memory)
  const remote = connect({ url, logger: { warn: () => undefined } })
  onTestFinished(async () => {
    await remote.close()
    await close(1_000)
  })
  const varve = varveMemory({ memory: remote, deadlineMs: 20_000 })
  const scope = { project: 'remote', user: 'ada', session: 'chat' }
  const ada = shared.memory.for({ project: 'remote', user: 'ada' })
  await ada.append('past', { role: 'user', content: fact })
  const model = streaming(toolCalled('hours', { place: 'kiosk' }), told('Pea ', 'soup.'))
  const result = streamText({ model: varve.model(model, { scope }), tools, stopWhen: isStepCount(3), prompt: question })
  expect(await result.text).toBe('Pea soup.')
  await varve.settled()
  const fences = model.doStreamCalls.map((call) => /<memory[\s\S]*<\/memory mark="\w+">/.exec(promptOf(call))?.[0])
  expect(fences[0]).toContain('pea soup on Mondays')
  expect(fences[1]).toBe(fences[0])
  expect(await ada.contexts.list()).toHaveLength(1)
  expect((await ada.messages('chat')).map(({ role, content }) => `${role}: ${content}`)).toEqual([
    `user: ${question}`,
    'assistant: hours({"place":"kiosk"})',
    'tool: hours: {"opens":"10:00"}',
    'assistant: Pea soup.',
  ])
})

test('a server that went away costs a turn its memory alone', async () => {
  const { url, close } = await served(shared.memory)
  await close(1_000)
  const told: string[] = []
  const remote = connect({ url, retries: 0, logger: { warn: () => undefined } })
  const varve = varveMemory({ memory: remote, onFailed: (...why) => void told.push(why.join(' ')) })
  const model = varve.model(
    answering(() => 'Pea.'),
    { scope: { user: 'ada', session: 'chat' } },
  )
  const { text } = await new ToolLoopAgent({ model }).generate({ prompt: question })
  expect(text).toBe('Pea.')
  await varve.settled()
  expect(told).toEqual(['context memory-failed', 'append SERVER_UNREACHABLE', 'append SERVER_UNREACHABLE'])
})

test('Varve’s own tools are bound to a scope, and neither their calls nor what they show is stored with the turn', async () => {
  const { url, close } = await served(shared.memory)
  const remote = connect({ url, logger: { warn: () => undefined } })
  onTestFinished(async () => {
    await remote.close()
    await close(1_000)
  })
  const memories = { here: shared.memory, there: { for: (scope: { user?: string }) => withTools(remote.for(scope)) } }
  for (const [place, memory] of Object.entries(memories)) {
    const varve = varveMemory({ memory, deadlineMs: 20_000 })
    const scope = { user: `${place} ada`, session: 'chat' }
    const ada = shared.memory.for(scope.user)
    await ada.append('past', { role: 'user', content: fact })
    const model = answering((_, number) => (number === 1 ? { toolName: 'memory_recall', input: { query: 'kiosk soup' } } : 'Pea.'))
    const agent = new ToolLoopAgent({ model: varve.model(model, { scope: { ...scope, memory: 'write' } }), tools: varve.tools({ scope }) })
    await agent.generate({ prompt: question })
    await varve.settled()
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('pea soup on Mondays')
    expect((await ada.messages('chat')).map(({ content }) => content)).toEqual([question, 'Pea.'])
    expect((await ada.recall('Mondays', { limit: 50 })).hits.map(({ session }) => session)).toEqual(['past'])
  }
  expect(() => varveMemory({ memory: shared.memory }).tools({ scope: Object({ user: undefined }) })).toThrow(/user must be a string/)
})

test('each tool that Varve makes is known as its own, and no other is', () => {
  const ada = shared.user()
  const made = [ada, ada.blocks, ada.documents, ada.facts, ada.instructions].flatMap((handle) => Object.keys(handle.tools()))
  expect(made.length).toBeGreaterThan(15)
  expect(made.filter((name) => !isOwnTool(name))).toEqual([])
  expect(['memory', 'memory_game', 'recall', 'my_memory_recall'].filter(isOwnTool)).toEqual([])
})
