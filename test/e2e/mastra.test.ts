import { readFileSync } from 'node:fs'
import { MockMemory } from '@mastra/core/memory'
import type { InputProcessor, OutputProcessor } from '@mastra/core/processors'
import { RequestContext } from '@mastra/core/request-context'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { mastraTools, type MastraRun, varveProcessors } from '../../packages/varve/src/integrations/mastra/index.ts'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { answer, kioskAgent } from '../fixtures/guides/mastra/agent.ts'
import { doorLaws, insideFence, watchedWarnings } from '../fixtures/doors/laws.ts'
import { readIn, scriptedAgent, scriptedModel, type ScriptedStep } from '../fixtures/mastra/scripted-agent.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

for (const way of ['generate', 'stream'] as const)
  doorLaws(`an agent of Mastra’s, ${way}`, {
    place: 'read',
    open(memory, deadlineMs) {
      const scope = ({ resourceId = '', threadId = '', requestContext }: MastraRun) => ({
        ...{ project: String(requestContext?.get('project')), user: resourceId, session: threadId },
      })
      const varve = varveProcessors({ memory, scope, deadlineMs })
      return async ({ project, user, session, words, reply = () => 'Noted.' }) => {
        const model = scriptedModel((prompt) => reply(readIn(prompt).read))
        const agent = scriptedAgent(model, { inputProcessors: [varve.input], outputProcessors: [varve.output] })
        const requestContext = new RequestContext([['project', project]])
        const where = { memory: { resource: user, thread: session }, requestContext }
        if (way === 'generate') await agent.generate(words, where)
        else await (await agent.stream(words, where)).text
        return readIn(model.prompts[0])
      }
    },
  })

const shared = sharedMemory({ embeddingModel: false })

const kept = async (user: UserMemory, session: string) => (await user.messages(session)).map(({ role, content }) => `${role}: ${content}`)

interface Beside {
  readonly inputProcessors?: InputProcessor[]
  readonly outputProcessors?: OutputProcessor[]
  readonly memory?: MockMemory
}

/** A user with an agent that has Varve's processors, others behind and before them, and a tool. */
function talking(
  script: (step: number) => ScriptedStep = () => 'Noted.',
  { inputProcessors = [], outputProcessors = [], memory }: Beside = {},
) {
  const user = shared.user()
  const model = scriptedModel((_, step) => script(step))
  const scope = ({ threadId = '' }) => ({ project: user.scope.project, user: user.scope.user ?? '', session: threadId })
  const varve = varveProcessors({ memory: shared.memory, scope, deadlineMs: 10_000 })
  const hours = createTool({
    id: 'hours',
    description: 'Tells when a place opens.',
    inputSchema: z.object({ place: z.string() }),
    execute: async ({ place }) => ({ place, opens: '10:00' }),
  })
  const agent = scriptedAgent(model, {
    tools: { hours },
    inputProcessors: [varve.input, ...inputProcessors],
    outputProcessors: [...outputProcessors, varve.output],
    ...(memory === undefined ? {} : { memory }),
  })
  return { user, model, agent, where: { memory: { resource: 'ada', thread: 'chat' } } }
}

const question = 'When does the kiosk open?'
const twoSteps = (step: number): ScriptedStep =>
  step === 0 ? { tool: 'hours', input: { place: 'kiosk' }, words: 'Let me look.' } : 'It opens at ten.'
const afterTwoSteps = [
  `user: ${question}`,
  'assistant: Let me look.\n\nhours({"place":"kiosk"})',
  'tool: hours: {"place":"kiosk","opens":"10:00"}',
  'assistant: It opens at ten.',
]

describe('Mastra’s runs:', () => {
  test.each(['generate', 'stream'] as const)(
    'each step of a loop with tools reads the same memory, and each message is stored once: %s',
    async (way) => {
      const { user, model, agent, where } = talking(twoSteps)
      await user.append('past', { role: 'user', content: 'The kiosk has a new door.' })
      if (way === 'generate') await agent.generate(question, where)
      else await (await agent.stream(question, where)).text
      const told = model.prompts.map((prompt) => insideFence(readIn(prompt).read))
      expect(told).toHaveLength(2)
      expect(told[0]).toContain('new door')
      expect(told[1]).toBe(told[0])
      expect(await kept(user, 'chat')).toEqual(afterTwoSteps)
      expect((await user.messages('chat')).map(({ origin }) => origin)).toEqual(['person', 'assistant', 'tool', 'assistant'])
    },
  )

  test('the agent may call the five tools of memory; what they show is not stored as said', async () => {
    const { user, model, agent, where } = talking((step) =>
      step === 0 ? { tool: 'memory_recall', input: { query: 'new door' } } : 'A door.',
    )
    await user.append('past', { role: 'user', content: 'The kiosk has a new door.' })
    await agent.generate(question, { ...where, toolsets: { memory: mastraTools(user.tools()) } })
    expect(JSON.stringify(model.prompts[1]?.at(-1))).toContain('The kiosk has a new door.')
    expect(await kept(user, 'chat')).toEqual([`user: ${question}`, 'assistant: A door.'])
  })

  test('what a tool made memory forget is not told in the next step', async () => {
    const { user, model, agent, where } = talking((step) => (step === 0 ? { tool: 'erase', input: {} } : 'Noted.'))
    await user.append('past', { role: 'user', content: 'The kiosk has a new door.' })
    const erase = createTool({
      ...{ id: 'erase', description: 'Erases.' },
      execute: async () => ({ erased: (await user.forget({ session: 'past' })).counts }),
    })
    await agent.generate('Which new door has the kiosk?', { ...where, toolsets: { own: { erase } } })
    const told = model.prompts.map((prompt) => readIn(prompt).read.includes('The kiosk has a new door.'))
    expect(told).toEqual([true, false])
  })

  test('a message with an id that comes twice is stored once, and history that a client sends is not stored as new', async () => {
    const { user, agent, where } = talking()
    const message = { id: 'm1', role: 'user' as const, content: 'I like soup.' }
    await agent.generate([message], where)
    await agent.generate([message], where)
    expect((await kept(user, 'chat')).filter((line) => line.startsWith('user'))).toEqual(['user: I like soup.'])
    const history = [
      { id: 'm0', role: 'user' as const, content: 'From before.' },
      { id: 'm2', role: 'assistant' as const, content: 'Noted by another.' },
      { id: 'm3', role: 'user' as const, content: 'Which soup?' },
    ]
    await agent.generate(history, where)
    expect((await kept(user, 'chat')).filter((line) => /From before|another/.test(line))).toEqual([])
    expect((await user.messages('chat')).find(({ externalId }) => externalId === 'm3')?.content).toBe('Which soup?')
  })

  test.each(['input', 'output'] as const)(
    'a tripwire of another %s processor loses nothing that the person said, and keeps no reply',
    async (place) => {
      const stops = (args: { abort: (reason?: string) => never }) => args.abort('blocked')
      const { user, agent, where } = talking(
        () => 'A reply that is stopped.',
        place === 'input'
          ? { inputProcessors: [{ id: 'stops', processInput: stops }] }
          : { outputProcessors: [{ id: 'stops', processOutputResult: stops }] },
      )
      const result = await agent.generate(question, where)
      expect(result.tripwire?.reason).toBe('blocked')
      expect(await kept(user, 'chat')).toEqual([`user: ${question}`])
    },
  )

  test('what another output processor made of a reply is stored, not the reply before it', async () => {
    const { user, agent, where } = talking(() => 'The code is 4711.', {
      outputProcessors: [
        {
          id: 'blackens',
          processOutputResult: ({ messages }) =>
            messages.map((message) => ({
              ...message,
              content: {
                ...message.content,
                parts: message.content.parts.map((part) => (part.type === 'text' ? { ...part, text: 'The code is ****.' } : part)),
              },
            })),
        },
      ],
    })
    await agent.generate(question, where)
    expect(await kept(user, 'chat')).toEqual([`user: ${question}`, 'assistant: The code is ****.'])
  })

  test('a model that fails leaves what the person said', async () => {
    const { user, agent, where } = talking(() => {
      throw new TypeError('the provider fell over')
    })
    await expect(agent.generate(question, { ...where, modelSettings: { maxRetries: 0 } })).rejects.toThrow('the provider fell over')
    expect(await kept(user, 'chat')).toEqual([`user: ${question}`])
  })

  test('a stream that is stopped keeps what was said until then', async () => {
    const { user, agent, where } = talking(() => 'It opens at ten, on most days of the week, I think.')
    const controller = new AbortController()
    const stream = await agent.stream(question, { ...where, abortSignal: controller.signal })
    for await (const chunk of stream.fullStream) if (chunk.type === 'text-delta' && chunk.payload.text.includes('ten')) controller.abort()
    expect(await kept(user, 'chat')).toEqual([`user: ${question}`, expect.stringMatching(/^assistant: It opens at ten/)])
  })

  test('beside Mastra’s own memory the thread is shown once, and Mastra stores nothing of what Varve told', async () => {
    const storage = new InMemoryStore()
    const { user, model, agent, where } = talking(undefined, { memory: new MockMemory({ storage }) })
    await user.append('past', { role: 'user', content: 'The kiosk has a new door.' })
    await agent.generate('I like soup.', where)
    await agent.generate('What do I like, and what is new at the kiosk?', where)
    const last = model.prompts.at(-1)
    expect(JSON.stringify(last).match(/I like soup/g)).toHaveLength(1)
    expect(insideFence(readIn(last).read)).toContain('new door')
    const store = await storage.getStore('memory')
    const stored = await store?.listMessages({ threadId: 'chat', resourceId: 'ada' })
    expect(stored?.messages).toHaveLength(4)
    expect(JSON.stringify(stored)).not.toMatch(/new door|<memory/)
    expect(await kept(user, 'chat')).toEqual([
      'user: I like soup.',
      'assistant: Noted.',
      'user: What do I like, and what is new at the kiosk?',
      'assistant: Noted.',
    ])
  })
})

describe('the scope of a run', () => {
  const opened = () => {
    const model = scriptedModel(() => 'Noted.')
    const varve = varveProcessors({ memory: shared.memory, deadlineMs: 10_000 })
    return { model, agent: scriptedAgent(model, { inputProcessors: [varve.input], outputProcessors: [varve.output] }) }
  }

  test('is the resource that the server put into the request’s context, whatever the call says', async () => {
    const { agent } = opened()
    const requestContext = new RequestContext([
      ['mastra__resourceId', 'zoe'],
      ['mastra__threadId', 'hers'],
    ])
    await agent.generate('I am Zoe.', { requestContext, memory: { resource: 'mallory', thread: 'hers' } })
    expect(await kept(shared.memory.for('zoe'), 'hers')).toEqual(['user: I am Zoe.', 'assistant: Noted.'])
    expect(await shared.memory.for('mallory').sessions.list()).toHaveLength(0)
  })

  test('is none without a resource and a thread: nobody’s memory is read or written, and one warning says so', async () => {
    const { agent, model } = opened()
    const warnings = watchedWarnings()
    await shared.memory.for({}).append('past', { role: 'user', content: 'The kiosk has a new door.' })
    for (const _ of [1, 2]) await agent.generate(question)
    expect(JSON.stringify(model.prompts)).not.toContain('new door')
    expect(await shared.memory.for({}).sessions.list()).toHaveLength(1)
    await new Promise(setImmediate)
    expect(warnings).toEqual(['varve/mastra: context failed, and the turn went on without it: the run has no resource and thread'])
  })

  test('is apart for ids that Varve could not take as names', async () => {
    const { agent } = opened()
    const long = (last: string): string => 'x'.repeat(300) + last
    for (const last of ['a', 'b']) await agent.generate(`I am ${last}.`, { memory: { resource: long(last), thread: long(last) } })
    const users = await shared.memory.project('default').users()
    const hashed = [...users].filter((user) => user.startsWith('id-'))
    expect(hashed).toHaveLength(2)
    for (const user of hashed) expect(await shared.memory.for(user).sessions.list()).toHaveLength(1)
  })
})

describe('the guide', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

  test('shows the code that is run here', () => {
    const blocks = [...read('../../docs/guides/mastra.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
    const file = read('../fixtures/guides/mastra/agent.ts')
      .replace('../../../../packages/varve/src/index.ts', 'varve')
      .replace('../../../../packages/varve/src/integrations/mastra/index.ts', 'varve/mastra')
    expect(blocks).toEqual([file])
  })

  test('gives an agent that knows in one thread what was said in another', async () => {
    const { model, prompts } = scriptedModel((prompt) => (readIn(prompt).read.includes('sesame') ? 'No sesame.' : 'Noted.'))
    const agent = kioskAgent(shared.memory, model)
    expect(await answer(agent, 'marlene', 'monday', 'Jule is allergic to sesame.')).toBe('No sesame.')
    expect(await answer(agent, 'marlene', 'friday', 'What is Jule allergic to?')).toBe('No sesame.')
    expect(readIn(prompts[1]).read).toContain('user: Jule is allergic to sesame.')
    expect(await answer(agent, 'nando', 'friday', 'What is Jule allergic to?')).toBe('Noted.')
  })
})
