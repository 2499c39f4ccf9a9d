import { Agent, MemorySession, Runner, setTracingDisabled, tool, type AgentInputItem, type Session } from '@openai/agents-core'
import { assistantMessage, functionCall, ScriptedModel, type ScriptedModelInput } from '@openai/agents-core/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { varveSession, type AgentMemory, type AgentSessionOptions } from '../../packages/varve/src/integrations/openai-agents/index.ts'
import { openMemory } from '../../packages/varve/src/index.ts'
import { order } from '../fixtures/hostile/attack.ts'
import { hostileTexts } from '../fixtures/hostile/attacks.ts'
import { heldBack } from '../fixtures/hostile/check.ts'
import { newStore } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

setTracingDisabled(true)
const shared = sharedMemory({ embeddingModel: false, languageModel: false })
const runner = new Runner({ tracingDisabled: true })

const hours = tool({
  name: 'hours',
  description: 'Tells when a place opens.',
  parameters: z.object({ place: z.string() }),
  execute: async ({ place }) => `${place} opens at ten`,
})

function scripted(...steps: ScriptedModelInput[]) {
  const model = new ScriptedModel(steps)
  return { model, agent: new Agent({ name: 'clerk', instructions: 'Be brief.', model, tools: [hours] }) }
}

function opened(session: string, more: Partial<AgentSessionOptions> = {}) {
  return varveSession<AgentInputItem>({
    memory: shared.memory,
    scope: { project: 'pier', user: 'ada' },
    session,
    deadlineMs: 10_000,
    ...more,
  })
}

const said = (text: string) => [assistantMessage(text)]
const texts = (input: unknown): string => JSON.stringify(input)

test('a second session knows what the first one was told, and stores nothing that it was shown', async () => {
  const ada = shared.user()
  const monday = opened('monday', { scope: ada.scope })
  await runner.run(scripted(said('Noted.')).agent, 'Jule is allergic to sesame.', {
    session: monday,
    callModelInputFilter: monday.contextFilter,
  })
  const tuesday = opened('tuesday', { scope: ada.scope })
  const { model, agent } = scripted(said('No sesame.'))
  const { finalOutput } = await runner.run(agent, 'What is Jule allergic to?', {
    session: tuesday,
    callModelInputFilter: tuesday.contextFilter,
  })
  expect(finalOutput).toBe('No sesame.')
  const [context, question, ...others] = model.firstCall?.request.input ?? []
  expect(texts(context)).toMatch(/"role":"user","content":"<memory mark=.*Jule is allergic to sesame.*<\/memory mark=/)
  expect(question).toMatchObject({ role: 'user', content: 'What is Jule allergic to?' })
  expect(others).toEqual([])
  expect(model.firstCall?.request.systemInstructions).toBe('Be brief.')
  expect((await tuesday.getItems()).map((item) => Object(item).role)).toEqual(['user', 'assistant'])
  expect(texts(await ada.messages('tuesday'))).not.toContain('sesame.</memory')
})

test('all model calls of a turn with tools see the same context, and memory is asked once', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'The kiosk has two lamps.' })
  const asks = vi.spyOn(ada, 'context')
  const session = opened('monday', { memory: { for: () => ada } })
  const { model, agent } = scripted([functionCall('hours', { place: 'kiosk' }, { callId: 'c1' })], said('At ten.'))
  await runner.run(agent, 'When does the kiosk open?', { session, callModelInputFilter: session.contextFilter })
  const [first, second] = model.calls.map(({ request }) => request.input)
  expect(texts(second?.slice(0, 2))).toBe(texts(first))
  expect(second).toHaveLength(4)
  expect(asks).toHaveBeenCalledTimes(1)
  expect((await session.getItems()).map((item) => Object(item).type ?? 'message')).toEqual([
    'message',
    'function_call',
    'function_call_result',
    'message',
  ])
})

test('a memory that a tool made Varve forget is not shown again in the same turn', async () => {
  const ada = shared.user()
  const { messages } = await ada.append('past', { role: 'user', content: 'The cellar key is under the pot.' })
  const session = opened('monday', { scope: ada.scope })
  const forget = tool({
    name: 'forget',
    description: 'Forgets.',
    parameters: z.object({}),
    execute: async () => (await ada.forget({ messages: messages.map(({ id }) => id) })).logical,
  })
  const model = new ScriptedModel([[functionCall('forget', {}, { callId: 'c1' })], said('Done.')])
  const agent = new Agent({ name: 'clerk', model, tools: [forget] })
  await runner.run(agent, 'Forget where the cellar key is.', { session, callModelInputFilter: session.contextFilter })
  const [first, second] = model.calls.map(({ request }) => texts(request.input))
  expect(first).toContain('under the pot')
  expect(second).not.toContain('under the pot')
})

test('a streamed run stores what a plain one stores', async () => {
  const steps = () => [[functionCall('hours', { place: 'kiosk' }, { callId: 'c1' })], said('At ten.')]
  const kept: unknown[] = []
  for (const stream of [true, false]) {
    const session = opened('monday', { scope: shared.user().scope })
    const options = { session, callModelInputFilter: session.contextFilter }
    if (stream) await (await runner.run(scripted(...steps()).agent, 'When?', { ...options, stream: true })).completed
    else await runner.run(scripted(...steps()).agent, 'When?', options)
    kept.push(await session.getItems())
  }
  expect(kept[0]).toEqual(kept[1])
  expect(kept[0]).toHaveLength(4)
})

test('a run whose answer a guardrail blocks leaves the history that it leaves in the SDK’s own session', async () => {
  const kept: AgentInputItem[][] = []
  const sessions: Session[] = [opened('monday', { scope: shared.user().scope }), new MemorySession({ sessionId: 'monday' })]
  for (const session of sessions) {
    const model = new ScriptedModel([[functionCall('hours', { place: 'kiosk' }, { callId: 'c1' })], said('A secret.'), said('At ten.')])
    const outputGuardrails = [
      {
        name: 'no secrets',
        execute: async ({ agentOutput }: { agentOutput: unknown }) => ({
          tripwireTriggered: String(agentOutput).includes('secret'),
          outputInfo: {},
        }),
      },
    ]
    const agent = new Agent({ name: 'clerk', model, tools: [hours], outputGuardrails })
    await expect(runner.run(agent, 'When?', { session })).rejects.toThrow(/guardrail/i)
    await runner.run(agent, 'Again: when?', { session })
    kept.push(await session.getItems())
  }
  expect(kept[0]).toEqual(kept[1])
  expect(texts(kept[0])).toContain('Again: when?')
})

test('two runs at once on one session lose nothing', async () => {
  const session = opened('monday', { scope: shared.user().scope })
  const run = (question: string, answer: string) =>
    runner.run(scripted(said(answer)).agent, question, { session, callModelInputFilter: session.contextFilter })
  await Promise.all([run('One?', 'First.'), run('Two?', 'Second.')])
  const items = texts(await session.getItems())
  for (const word of ['One?', 'First.', 'Two?', 'Second.']) expect(items).toContain(word)
  expect(await session.getItems()).toHaveLength(4)
})

test('a session goes on in another process after a restart', async () => {
  const store = newStore()
  const scope = { project: 'pier', user: 'ada' }
  for (const [question, answer] of [
    ['My boat is the Swallow.', 'Noted.'],
    ['Which boat is mine?', 'The Swallow.'],
  ] as const) {
    await using memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, languageModel: false })
    const session = varveSession<AgentInputItem>({ memory, scope, session: 'monday', deadlineMs: 10_000 })
    const { model, agent } = scripted(said(answer))
    await runner.run(agent, question, { session, callModelInputFilter: session.contextFilter })
    if (answer === 'The Swallow.') expect(texts(model.firstCall?.request.input)).toContain('My boat is the Swallow.')
  }
})

test('one session object serves many users by the context of the run, and mixes none', async () => {
  const session = opened('monday', { scope: (context) => ({ project: 'ferry', user: String(Object(context).userId) }) })
  const { model, agent } = scripted(said('Noted.'), said('I do not know.'), said('Blue.'))
  const ask = (userId: string, question: string) =>
    runner.run(agent, question, { session, context: { userId }, callModelInputFilter: session.contextFilter })
  await ask('ada', 'My door is blue.')
  await ask('bob', 'Which colour has my door?')
  expect(texts(model.lastCall?.request.input)).not.toContain('blue')
  await ask('ada', 'Which colour has my door?')
  expect(texts(model.lastCall?.request.input)).toContain('My door is blue.')
  expect(await shared.memory.for({ project: 'ferry', user: 'bob' }).messages('monday')).toHaveLength(2)
})

test('a context that is late or fails costs the run its memory and one warning', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'The kiosk has two lamps.' })
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  onTestFinished(() => warned.mockRestore())
  const broken: AgentMemory = Object.assign(Object.create(ada), { context: () => new Promise(() => undefined) })
  const session = opened('monday', { memory: { for: () => broken }, deadlineMs: 5 })
  const { model, agent } = scripted(said('Two.'), said('Two!'))
  for (const question of ['How many lamps?', 'Sure?'])
    expect((await runner.run(agent, question, { session, callModelInputFilter: session.contextFilter })).finalOutput).toContain('Two')
  expect(texts(model.calls.map(({ request }) => request.input))).not.toContain('<memory')
  expect(warned.mock.calls).toEqual([['varve/openai-agents: context failed, and the turn went on without it: memory-late', 'VarveWarning']])
})

test.each(['', ' ', 'a \0 b \ud800', 'word '.repeat(20_000)])('any words of a person do for a question: %j', async (question) => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  onTestFinished(() => warned.mockRestore())
  const session = opened('monday', { scope: shared.user().scope })
  await runner.run(scripted(said('Yes.')).agent, [{ role: 'user', content: question }], {
    session,
    callModelInputFilter: session.contextFilter,
  })
  expect(await session.getItems(1)).toMatchObject([{ role: 'assistant' }])
  expect(warned).not.toHaveBeenCalled()
})

test('a hundred rounds add their own items and nothing that was shown', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'The kiosk has two lamps, a stove and a green awning from 1962.' })
  for (let round = 0; round < 100; round += 1) {
    const session = opened(`day ${round}`, { scope: ada.scope })
    await runner.run(scripted(said('Two.')).agent, 'How many lamps has the kiosk?', {
      session,
      callModelInputFilter: session.contextFilter,
    })
    expect(await session.getItems()).toHaveLength(2)
  }
  expect((await ada.timeline({ limit: 1_000 })).filter(({ content }) => content.includes('awning'))).toHaveLength(1)
})

test('hostile text stays within the fence', async () => {
  const ada = shared.user()
  const attacks = hostileTexts.filter(({ family, isName, isLong }) => family !== 'directions' && isName !== true && isLong !== true)
  await ada.append(
    'past',
    attacks.map(({ text }) => ({ role: 'user', content: `${order} ${text}` })),
  )
  const session = opened('monday', { scope: ada.scope, maxTokens: 20_000, deadlineMs: 10_000, minConfidence: 0 })
  const { model, agent } = scripted(said('No.'))
  await runner.run(agent, order, { session, callModelInputFilter: session.contextFilter })
  const [context] = model.firstCall?.request.input ?? []
  const shown = String(Object(context).content)
  expect(shown.match(/<\/?memory/g)).toHaveLength(2)
  expect(attacks.flatMap((one) => heldBack(shown, one))).toEqual([])
})
