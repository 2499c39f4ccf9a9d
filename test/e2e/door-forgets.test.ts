import { chat, toolDefinition } from '@tanstack/ai'
import { Agent, type AgentInputItem, Runner, setTracingDisabled, tool as agentTool } from '@openai/agents-core'
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents-core/testing'
import { createTool } from '@mastra/core/tools'
import { generateText, isStepCount, streamText, tool as sdkTool } from 'ai'
import { AIMessage, createAgent, createMiddleware, fakeModel, HumanMessage, tool as chainTool } from 'langchain'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { varveMemory } from '../../packages/varve/src/integrations/ai-sdk/index.ts'
import { varveProvider } from '../../packages/varve/src/integrations/eve/index.ts'
import { varveMiddleware } from '../../packages/varve/src/integrations/langchain/index.ts'
import { varveProcessors } from '../../packages/varve/src/integrations/mastra/index.ts'
import { varveSession } from '../../packages/varve/src/integrations/openai-agents/index.ts'
import { varveAdapter } from '../../packages/varve/src/integrations/tanstack-ai/index.ts'
import { streaming, told, usage } from '../fixtures/ai-sdk/scripted-models.ts'
import { MockLanguageModelV4 } from 'ai/test'
import { EveSession } from '../fixtures/eve/eve-session.ts'
import { withMemory } from '../fixtures/guides/tanstack-ai/with-memory.ts'
import { scriptedAgent, scriptedModel } from '../fixtures/mastra/scripted-agent.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { scriptedAdapter } from '../fixtures/tanstack-ai/scripted-adapter.ts'

setTracingDisabled(true)
const shared = sharedMemory({ embeddingModel: false, languageModel: false })

/** A turn: the person's words, what the model says before it calls a tool, and after it. Without a call, only the last. */
interface ForgettingTurn {
  readonly words: string
  readonly before?: string
  readonly last: string
  /** The person forgets, by another door, while the model answers with its last words. */
  readonly meanwhile?: boolean
}

/** Runs a turn of the session `chat` in a framework. The tool's result is `done`. */
type Door = (ada: UserMemory, erase: () => Promise<unknown>) => (turn: ForgettingTurn) => Promise<unknown>

const deadlineMs = 10_000
const scopeOf = ({ scope: { project, user = '' } }: UserMemory) => ({ project, user })

const doors: Readonly<Record<string, Door>> = {
  'AI SDK, generateText': (ada, erase) => {
    const varve = varveMemory({ memory: shared.memory, deadlineMs })
    const tools = { erase: sdkTool({ inputSchema: z.object({}), execute: async () => (await erase(), 'done') }) }
    return async ({ words, before, last, meanwhile }) => {
      let step = 0
      const model = new MockLanguageModelV4({
        doGenerate: async () => {
          step += 1
          if (meanwhile === true) await erase()
          const isCall = before !== undefined && step === 1
          const call = isCall ? [{ type: 'tool-call' as const, toolCallId: `c ${words}`, toolName: 'erase', input: '{}' }] : []
          return {
            content: [{ type: 'text', text: isCall ? before : last }, ...call],
            finishReason: { unified: isCall ? 'tool-calls' : 'stop', raw: undefined },
            ...{ usage, warnings: [] },
          }
        },
      })
      const wrapped = varve.model(model, { scope: { ...scopeOf(ada), session: 'chat' } })
      await generateText({ model: wrapped, tools, stopWhen: isStepCount(3), prompt: words })
      await varve.settled()
    }
  },
  'AI SDK, streamText': (ada, erase) => {
    const varve = varveMemory({ memory: shared.memory, deadlineMs })
    const tools = { erase: sdkTool({ inputSchema: z.object({}), execute: async () => (await erase(), 'done') }) }
    return async ({ words, before, last, meanwhile }) => {
      const call = { type: 'tool-call' as const, toolCallId: `c ${words}`, toolName: 'erase', input: '{}' }
      const finish = { type: 'finish' as const, finishReason: { unified: 'tool-calls' as const, raw: undefined }, usage }
      const begun = before === undefined ? [] : [[...told(before).slice(0, -1), call, finish]]
      const streams = streaming(...begun, told(last))
      const { doStream } = streams
      streams.doStream = async (asked) => {
        if (meanwhile === true) await erase()
        return doStream(asked)
      }
      const model = varve.model(streams, { scope: { ...scopeOf(ada), session: 'chat' } })
      await streamText({ model, tools, stopWhen: isStepCount(3), prompt: words }).text
      await varve.settled()
    }
  },
  LangChain: (ada, erase) => {
    const varve = varveMiddleware({ memory: shared.memory, scope: scopeOf(ada), deadlineMs })
    const tools = [chainTool(async () => (await erase(), 'done'), { name: 'erase', description: 'Erases.', schema: z.object({}) })]
    return async ({ words, before, last, meanwhile }) => {
      const erases = createMiddleware({
        name: 'Erases',
        wrapModelCall: async (request, handler) => {
          if (meanwhile === true) await erase()
          return handler(request)
        },
      })
      const end = new AIMessage(last)
      const call = new AIMessage({ content: before ?? '', tool_calls: [{ id: `c ${words}`, name: 'erase', args: {} }] })
      const model = before === undefined ? fakeModel().respond(end) : fakeModel().respond(call).respond(end)
      const agent = createAgent({ model, tools, middleware: [varve, erases] })
      await agent.invoke({ messages: [new HumanMessage(words)] }, { configurable: { thread_id: 'chat' } })
      await varve.settled()
    }
  },
  Mastra: (ada, erase) => {
    const scope = () => ({ ...scopeOf(ada), session: 'chat' })
    const varve = varveProcessors({ memory: shared.memory, scope, deadlineMs })
    const tools = { erase: createTool({ id: 'erase', description: 'Erases.', execute: async () => (await erase(), { done: true }) }) }
    return async ({ words, before, last, meanwhile }) => {
      const erases = {
        id: 'erases',
        processOutputResult: async <List>({ messageList }: { readonly messageList: List }): Promise<List> => {
          if (meanwhile === true) await erase()
          return messageList
        },
      }
      const model = scriptedModel((_, step) => (before !== undefined && step === 0 ? { tool: 'erase', input: {}, words: before } : last))
      const agent = scriptedAgent(model, { tools, inputProcessors: [varve.input], outputProcessors: [erases, varve.output] })
      await agent.generate(words, { memory: { resource: 'ada', thread: 'chat' } })
      await varve.settled()
    }
  },
  'OpenAI Agents': (ada, erase) => openAi(ada, erase, false),
  'OpenAI Agents, streamed': (ada, erase) => openAi(ada, erase, true),
  'TanStack AI': (ada, erase) => {
    const { project, user } = scopeOf(ada)
    const adapter = varveAdapter({ memory: shared.memory, deadlineMs })
    const { server } = toolDefinition({ name: 'erase', description: 'Erases.', inputSchema: z.object({}) })
    const tools = [server(async () => (await erase(), { done: true }))]
    return async ({ words, before, last, meanwhile }) => {
      // A script of a step gives words or a call: what is said before the call is not told by TanStack.
      const scripted = scriptedAdapter((_, step) => (before !== undefined && step === 0 ? { tool: 'erase', input: {} } : last))
      const { chatStream } = scripted.adapter
      scripted.adapter.chatStream = async function* (request) {
        if (meanwhile === true) await erase()
        yield* chatStream(request)
      }
      const middleware = [withMemory(adapter, () => ({ tenantId: project, userId: user, threadId: 'chat' }))]
      await chat({ adapter: scripted.adapter, tools, messages: [{ role: 'user', content: words }], middleware, stream: false })
      await adapter.settled()
    }
  },
  eve: (ada, erase) => {
    const provider = varveProvider({ memory: shared.memory, scope: () => scopeOf(ada), deadlineMs })
    const talk = new EveSession({ provider }, 'chat', 'ada')
    return ({ words, before, last, meanwhile }) =>
      talk.turn(words, async () => {
        if (meanwhile === true) await erase()
        const end = { role: 'assistant' as const, content: last }
        if (before === undefined) return [end]
        await erase()
        const call = { toolCallId: `c ${words}`, toolName: 'erase' }
        return [
          {
            role: 'assistant',
            content: [
              { type: 'text', text: before },
              { type: 'tool-call', ...call, input: {} },
            ],
          },
          { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'done' } }] },
          end,
        ]
      })
  },
}

function openAi(ada: UserMemory, erase: () => Promise<unknown>, stream: boolean): ReturnType<Door> {
  const session = varveSession<AgentInputItem>({ memory: shared.memory, scope: scopeOf(ada), session: 'chat', deadlineMs })
  const erasing = agentTool({
    ...{ name: 'erase', description: 'Erases.', parameters: z.object({}) },
    execute: async () => (await erase(), 'done'),
  })
  return async ({ words, before, last, meanwhile }) => {
    const end = modelResponder(async () => {
      if (meanwhile === true) await erase()
      return [assistantMessage(last)]
    })
    const call = before === undefined ? [] : [[assistantMessage(before), functionCall('erase', {}, { callId: `c ${words}` })]]
    const agent = new Agent({ name: 'clerk', model: new ScriptedModel([...call, end]), tools: [erasing] })
    const runner = new Runner({ tracingDisabled: true })
    const options = { session, callModelInputFilter: session.contextFilter }
    if (stream) await (await runner.run(agent, words, { ...options, stream: true })).completed
    else await runner.run(agent, words, options)
  }
}

const secret = 'The zebra of the harbour master sleeps in cabin forty-seven eleven.'

const ways: Readonly<Record<string, (ada: UserMemory) => Promise<unknown>>> = {
  session: (ada) => ada.forget({ session: 'chat' }),
  'session, deleted': (ada) => ada.sessions.delete('chat'),
  all: (ada) => ada.forget({ all: true }),
  message: async (ada) => {
    const found = (await ada.messages('chat')).filter(({ content }) => content.includes('zebra'))
    await ada.forget({ messages: found.map(({ id }) => id) })
  },
}

const said = async (ada: UserMemory): Promise<string[]> => (await ada.timeline({ limit: 100 })).map(({ content }) => content).toReversed()

describe.each(Object.entries(doors))('%s: what a run said before it forgot', (name, door) => {
  // The SDK gives a run's input to its session at the end: its tool finds no message of it.
  const possible = Object.entries(ways).filter(([way]) => !(name.startsWith('OpenAI') && way === 'message'))

  test.each(possible)('is not stored after it: %s', async (_way, forget) => {
    const ada = shared.user()
    const turn = door(ada, () => forget(ada))
    await turn({ words: 'Good morning.', last: 'Good morning to you.' })
    await turn({ words: `Forget this: ${secret}`, before: `I shall forget this: ${secret}`, last: 'It is forgotten.' })
    await turn({ words: 'And now?', last: 'Now we wait.' })
    const lines = await said(ada)
    expect(lines.filter((line) => line.includes('zebra'))).toEqual([])
    expect(lines.slice(-2)).toEqual(['And now?', 'Now we wait.'])
    if (name !== 'TanStack AI') expect(lines).toContain('It is forgotten.')
  })

  // The other doors store each step before its tools are called: a quote of the agent stays, as one of an earlier turn does.
  test.runIf(/Mastra|eve|OpenAI/.test(name))('is not stored after it: another session, whose words it was told and repeats', async () => {
    const ada = shared.user()
    await ada.append('past', { role: 'user', content: secret })
    const turn = door(ada, () => ada.forget({ session: 'past' }))
    await turn({ words: 'Good morning.', last: 'Good morning to you.' })
    await turn({ words: 'Where does that animal of the harbour master sleep? Forget it.', before: `I knew: ${secret}`, last: 'Forgotten.' })
    expect((await said(ada)).filter((line) => line.includes('zebra'))).toEqual([])
  })
})

/** What the person says in an OpenAI run is stored at its end: nothing of it is there to be forgotten alone. */
const forgets = Object.entries(ways).filter(([way]) => way !== 'message')

describe.each(Object.entries(doors))('%s: what a person forgets while the model answers', (_name, door) => {
  test.each(forgets)('does not come back with the answer: %s', async (_way, forget) => {
    const ada = shared.user()
    const turn = door(ada, () => forget(ada))
    await turn({ words: 'Good morning.', last: 'Good morning to you.' })
    await turn({ words: secret, last: `Noted: ${secret}`, meanwhile: true })
    await turn({ words: 'And now?', last: 'Now we wait.' })
    expect(await said(ada)).toEqual(['And now?', 'Now we wait.'])
  })
})
