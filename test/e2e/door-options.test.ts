import { describe, expect, test } from 'vitest'
import { varveMemory } from '../../packages/varve/src/integrations/ai-sdk/index.ts'
import { varveProvider } from '../../packages/varve/src/integrations/eve/index.ts'
import { varveMiddleware } from '../../packages/varve/src/integrations/langchain/index.ts'
import { varveStore } from '../../packages/varve/src/integrations/langgraph/index.ts'
import { varveProcessors } from '../../packages/varve/src/integrations/mastra/index.ts'
import { varveSession } from '../../packages/varve/src/integrations/openai-agents/index.ts'
import { varveAdapter } from '../../packages/varve/src/integrations/tanstack-ai/index.ts'
import { answering } from '../fixtures/ai-sdk/scripted-models.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false })
const ada = { user: 'ada' }

type Options = Readonly<Record<string, unknown>>

/** Each door, as JavaScript calls it: with any options. `scope` is there where it need not be a function. */
const doors: readonly {
  readonly name: string
  readonly usual: Options
  readonly own: readonly string[]
  open(options: object): unknown
}[] = [
  { name: 'AI SDK', usual: {}, own: ['onShown'], open: (options) => varveMemory(Object(options)) },
  { name: 'LangChain', usual: { scope: ada }, own: ['session', 'scope'], open: (options) => varveMiddleware(Object(options)) },
  { name: 'Mastra', usual: {}, own: ['scope'], open: (options) => varveProcessors(Object(options)) },
  {
    name: 'OpenAI Agents',
    usual: { scope: ada },
    own: ['session', 'scope', 'historyDeadlineMs', 'waitUntil'],
    open: (options) => varveSession(Object(options)),
  },
  { name: 'TanStack AI', usual: {}, own: ['tools', 'devtools'], open: (options) => varveAdapter(Object(options)) },
  { name: 'eve', usual: {}, own: ['scope', 'defineTool', 'captureDeadlineMs'], open: (options) => varveProvider(Object(options)) },
]

/** Values that no turn could use, by option. */
const refused: readonly (readonly [option: string, value: unknown])[] = [
  ...[-1, 0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '500', null].map((value) => ['maxTokens', value] as const),
  ...[-1, 0, Number.NaN, Number.POSITIVE_INFINITY, '500', null].map((value) => ['deadlineMs', value] as const),
  ...[-0.1, 1.1, Number.NaN, 'sure'].map((value) => ['minConfidence', value] as const),
  ...[{ dreams: { limit: 1 } }, { recent: { limit: -1 } }, { recent: { most: 1 } }, 'all'].map((value) => ['tiers', value] as const),
  ['waitUntil', 'later'],
  ['onFailed', {}],
  ...[undefined, null, 'memory:', {}].map((value) => ['memory', value] as const),
]

/** The same for the options that only some doors have. */
const refusedOfOwn: Readonly<Record<string, readonly unknown[]>> = {
  scope: [null, 5, 'a\0b'],
  session: ['', ' ', 5, null, 'a\0b'],
  onShown: ['print'],
  historyDeadlineMs: [0, -1, Number.NaN, '1'],
  captureDeadlineMs: [0, -1, Number.NaN, '1'],
  tools: ['yes', 1],
  devtools: ['yes', 1],
  defineTool: [{}],
  waitUntil: [{}],
}

const mostSaid = /^(?!.*(?:secret|undefined is not|Cannot read)).{10,300}$/

describe.each(doors)('$name', ({ usual, own, open }) => {
  const opened = (options: Options) => () => open({ memory: shared.memory, ...usual, ...options })

  test.each(refused)('refuses %s: %j, at once and in clear words', (option, value) => {
    expect(opened({ [option]: value })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringMatching(new RegExp(option)) }),
    )
    expect(opened({ [option]: value })).toThrow(mostSaid)
  })

  test.each(own.flatMap((option) => (refusedOfOwn[option] ?? []).map((value) => [option, value] as const)))(
    'refuses its own %s: %j',
    (option, value) => {
      expect(opened({ [option]: value })).toThrow(expect.objectContaining({ code: expect.stringMatching(/^(?:OPTION|SCOPE)_INVALID$/) }))
    },
  )

  test.each(['maxToken', 'deadline', 'user', 'project', 'userId', 'toString'])(
    'refuses the unknown %s, and names the known ones',
    (name) => {
      expect(opened({ [name]: 'a secret' })).toThrow(/is unknown; known are: .*memory, maxTokens, deadlineMs/)
      expect(opened({ [name]: undefined })).toThrow(/is unknown/)
    },
  )

  test('takes undefined for the default of each option', () => {
    const names = ['maxTokens', 'deadlineMs', 'tiers', 'minConfidence', 'waitUntil', 'onFailed', ...own].filter((name) => !(name in usual))
    expect(opened(Object.fromEntries(names.map((name) => [name, undefined])))).not.toThrow()
  })
})

const nobody: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['empty', ''],
  ['blank', ' '],
  ['a number', 7],
]

describe.each(nobody)('a user that is %s', (_, user) => {
  test.each([
    [
      'AI SDK, model',
      () =>
        varveMemory({ memory: shared.memory }).model(
          answering(() => ''),
          { scope: Object({ user, session: 's' }) },
        ),
    ],
    ['AI SDK, tools', () => varveMemory({ memory: shared.memory }).tools({ scope: Object({ user }) })],
    ['LangChain', () => varveMiddleware({ memory: shared.memory, scope: Object({ user }) })],
    ['OpenAI Agents', () => varveSession({ memory: shared.memory, scope: Object({ user }) })],
    ['LangGraph', () => varveStore({ memory: shared.memory, scope: Object({ user }) })],
  ])('is refused at once: %s', (_door, open) => {
    expect(open).toThrow(expect.objectContaining({ code: 'SCOPE_INVALID', message: expect.stringMatching(/^user must/) }))
  })

  test.each([
    [
      'OpenAI Agents',
      () => varveSession({ memory: shared.memory, scope: () => Object({ user }) }).addItems([{ role: 'user', content: 'x' }]),
    ],
    ['LangGraph', () => varveStore({ memory: shared.memory, scope: () => Object({ user }) }).put(['a'], 'b', { text: 'x' })],
  ])('is refused in a call: %s', async (_door, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'SCOPE_INVALID' })
  })

  test('gives TanStack AI’s chat no memory, and says so', async () => {
    const told: string[] = []
    const adapter = varveAdapter({ memory: shared.memory, onFailed: (...why) => void told.push(why.join(' ')) })
    const scope = Object({ threadId: 'chat', userId: user })
    expect(await adapter.save(scope, { user: 'x', assistant: 'y' })).toMatchObject([{ ok: false, error: 'SCOPE_INVALID' }])
    expect(await adapter.recall(scope, 'x')).toEqual({ systemPrompt: '', fragments: [] })
    expect(told).toEqual(['context SCOPE_INVALID', 'context SCOPE_INVALID'])
  })

  test('gives Mastra’s run no memory, and says so', async () => {
    const told: string[] = []
    const onFailed = (...why: string[]): void => void told.push(why.join(' '))
    const { input } = varveProcessors({ memory: shared.memory, scope: () => Object({ user, session: 's' }), onFailed })
    const said = { id: 'm1', role: 'user', content: { parts: [{ type: 'text', text: 'x' }] } }
    const list = { db: () => [said] }
    const messageList = { get: { all: list, input: list, response: list }, serialize: () => ({ memoryInfo: null }) }
    expect(await input.processInput({ messageList, state: {} })).toBe(messageList)
    expect(told).toEqual(['context SCOPE_INVALID'])
  })

  test('gives eve’s turn no memory, and says so', async () => {
    const told: string[] = []
    const onFailed = (...why: string[]): void => void told.push(why.join(' '))
    const provider = varveProvider({ memory: shared.memory, scope: () => Object({ user }), onFailed })
    const operation = {
      ...{ messages: [], operationId: 'op', session: { id: 'chat' } },
      memory: { slot: 'memory', scope: { key: 'key', namespace: 'kiosk', value: 'ada' } },
      turn: { id: 't', sequence: 1, input: [{ role: 'user', content: 'x' }] },
    }
    expect(await provider.recall['turn.started'](operation)).toBeNull()
    await provider.capture['turn.completed'](operation)
    expect(told).toEqual(['context SCOPE_INVALID', 'context SCOPE_INVALID'])
  })
})

test('nothing was stored for the anonymous user', async () => {
  expect(await shared.memory.for({}).sessions.list()).toEqual([])
})
