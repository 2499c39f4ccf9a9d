import { MemorySession, type AgentInputItem, type Session } from '@openai/agents-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RemoteMemory } from '../../packages/varve/src/client/index.ts'
import { varveSession, type AgentSession } from '../../packages/varve/src/integrations/openai-agents/index.ts'
import { aCall, anItem, everyKind, type FunctionCall } from '../fixtures/openai-agents/items.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })

function opened(session = 'monday') {
  const ada = shared.user()
  return { ada, session: varveSession<AgentInputItem>({ memory: shared.memory, scope: ada.scope, session }) }
}

/** Compiles: the SDK takes a session of Varve, also one at a server. */
export const atServer = (memory: RemoteMemory): Session => varveSession({ memory, scope: { user: 'ada' } })

const user = (content: string): AgentInputItem => ({ role: 'user', content })

describe('items', () => {
  test('of every kind come back as they are', async () => {
    const { session } = opened()
    const items: AgentInputItem[] = Object.values(everyKind)
    await session.addItems(items)
    expect(await session.getItems()).toEqual(items)
    for (const item of items) await session.addItems([item])
    expect(await session.getItems(items.length)).toEqual(items)
  })

  test.each([
    ['heliotrope', 'marigold', 'wisteria', 'foxglove', 'snowdrop', 'hyacinth'],
    ['primrose', 'columbine', 'lupin', 'verbena', 'anemone', 'gentian', 'begonia', 'dahlia'],
    ['petunia', 'zinnia', 'peony', 'lilac', 'bluebell', 'crocus', 'tulip', 'iris'],
  ])('are found by their words: %s …', async (...flowers) => {
    const { ada, session } = opened()
    await session.addItems(Object.values(everyKind))
    for (const flower of flowers) {
      const { hits } = await ada.recall(flower, { minConfidence: 0 })
      expect(hits.map(({ text }) => text).join('\n'), flower).toContain(flower)
    }
  })

  test.each(['oleander', 'camellias'])('hold thoughts and orders that are not found: %s', async (flower) => {
    const { ada, session } = opened()
    await session.addItems([everyKind.reasoning, everyKind.system])
    expect((await ada.recall(flower, { minConfidence: 0 })).hits).toEqual([])
  })

  test('of Varve’s own tools come back, and what they showed is not remembered again', async () => {
    const { ada, session } = opened()
    const items: AgentInputItem[] = [
      { type: 'function_call', callId: 'c1', name: 'memory_recall', arguments: '{"query":"edelweiss"}' },
      { type: 'function_call_result', callId: 'c1', name: 'memory_recall', status: 'completed', output: 'an edelweiss on the sill' },
    ]
    await session.addItems(items)
    expect(await session.getItems()).toEqual(items)
    expect((await ada.recall('edelweiss', { minConfidence: 0 })).hits).toEqual([])
  })

  test('that are no JSON, no Unicode or no known kind come back too', async () => {
    const { session } = opened()
    const odd: AgentInputItem[] = [
      user('a lone \ud800 surrogate and a \0'),
      user(''),
      { type: 'unknown', providerData: { 'n\ud800': [Number.NaN, -0, undefined, { __proto__: null, bytes: new Uint8Array([1, 2]) }] } },
      JSON.parse('{"type":"from the future","x":{"y":[1]}}'),
      { ...everyKind.shell, action: { commands: [] } },
    ]
    await session.addItems(odd)
    const back = await session.getItems()
    expect(back).toEqual(odd)
    expect(Object.is(Object(back[2]).providerData['n\ud800'][1], -0)).toBe(true)
  })

  test('of a megabyte and more are kept whole; one over the bound is refused, and nothing of its batch is stored', async () => {
    const { session } = opened()
    const long = user('word '.repeat(300_000))
    await session.addItems([long])
    expect(await session.getItems()).toEqual([long])
    const over = user('word '.repeat(900_000))
    await expect(session.addItems([user('beside it'), over])).rejects.toMatchObject({ code: 'MESSAGE_INVALID' })
    expect(await session.getItems()).toHaveLength(1)
  })

  test('that a host stored by itself are items, and a replaced message has its new words', async () => {
    const { ada, session } = opened()
    await ada.append('monday', [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Good day.' },
      { role: 'tool', content: 'nothing that an agent could read' },
      { role: 'system', content: 'an order' },
    ])
    await session.addItems([user('My number is 12.')])
    const [last] = await ada.messages('monday', { limit: 1 })
    await ada.replace(last?.id ?? '', 'My number is 13.')
    expect(await session.getItems()).toEqual([
      { type: 'message', role: 'user', content: 'Hello.' },
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Good day.' }] },
      { type: 'message', role: 'user', content: 'My number is 13.' },
    ])
  })
})

type Sessions = readonly [AgentSession<AgentInputItem>, MemorySession]
type Step = (sessions: Sessions, items: AgentInputItem[], op: string) => readonly Promise<unknown>[]

/** Commands that both sessions get. */
const commands: Readonly<Record<string, Step>> = {
  add: (sessions, items) => sessions.map((session) => session.addItems(items)),
  pop: (sessions) => sessions.map((session) => session.popItem()),
  get: (sessions) => sessions.map((session) => session.getItems()),
  getSome: (sessions, items) => sessions.map((session) => session.getItems(items.length)),
  clear: (sessions) => sessions.map((session) => session.clearSession()),
  mutate: (sessions, items) =>
    sessions.map((session) =>
      session.applyHistoryMutations({
        mutations: items
          .filter((item): item is FunctionCall => item.type === 'function_call')
          .map((item, at) => ({
            type: 'replace_function_call',
            callId: item.callId,
            replacement: at % 2 === 0 ? item : aCall('call-1', 'again'),
          })),
      }),
    ),
  append: (sessions, items, operationId) =>
    sessions.map((session) => session.applyHistoryTransaction({ operationId, transaction: { type: 'append_items', items } })),
}

async function outcomes(steps: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  return (await Promise.allSettled(steps)).map((one) => (one.status === 'fulfilled' ? one.value : 'refused'))
}

/** Replaces the last items, or names a suffix that is not there; then sends the same again, and another change under its name. */
async function replaced(sessions: Sessions, items: AgentInputItem[], operationId: string, isRight: boolean): Promise<void> {
  const expectedSuffix = isRight ? await sessions[1].getItems(items.length % 3) : items
  const transaction = { type: 'replace_suffix' as const, expectedSuffix, replacement: items }
  for (const again of [transaction, transaction, { ...transaction, replacement: [...items, user('more')] }]) {
    const [ours, theirs] = await outcomes(sessions.map((session) => session.applyHistoryTransaction({ operationId, transaction: again })))
    expect(ours).toEqual(theirs)
  }
}

const noBytes = anItem.filter((item) => item !== everyKind['function result, bytes'])
const aCommand = fc.record({
  name: fc.constantFrom(...Object.keys(commands), 'add', 'add', 'replace', 'replaceWrong'),
  items: fc.array(noBytes, { maxLength: 5 }),
  /** A run does not read its history after each change. */
  isRead: fc.boolean(),
})

test('a random course of commands gives what the SDK’s own session gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aCommand, { minLength: 1, maxLength: 14 }), async (course) => {
      const sessions: Sessions = [opened().session, new MemorySession({ sessionId: 'monday' })]
      for (const [at, { name, items, isRead }] of course.entries()) {
        const step = commands[name]
        if (step === undefined) await replaced(sessions, items, `op-${at}`, name === 'replace')
        else {
          const [ours, theirs] = await outcomes(step(sessions, items, `op-${at}`))
          expect(ours).toEqual(theirs)
          if (name === 'append') expect((await outcomes(step(sessions, items, `op-${at}`)))[0]).toBeUndefined()
        }
        if (!isRead && at < course.length - 1) continue
        expect(await sessions[0].getItems()).toEqual(await sessions[1].getItems())
        expect(await sessions[0].getItems(2)).toEqual(await sessions[1].getItems(2))
      }
    }),
    { numRuns: runs(60) },
  )
})

describe('a session', () => {
  test('loses no item to two writers at once', async () => {
    const { ada, session } = opened()
    const second = varveSession<AgentInputItem>({ memory: shared.memory, scope: ada.scope, session: 'monday' })
    const said = Array.from({ length: 20 }, (_, at) => [user(`first ${at}`), user(`then ${at}`)])
    await Promise.all(said.map((items, at) => (at % 2 === 0 ? session : second).addItems(items)))
    const items = await session.getItems()
    expect(items).toHaveLength(40)
    for (const [first, then] of said)
      expect(items[items.findIndex((item) => item === first || JSON.stringify(item) === JSON.stringify(first)) + 1]).toEqual(then)
  })

  test('gives each of two callers another item when both pop', async () => {
    const { session } = opened()
    await session.addItems([user('a'), user('b'), user('c')])
    const popped = await Promise.all([session.popItem(), session.popItem()])
    expect(popped.map((item) => Object(item).content).sort()).toEqual(['b', 'c'])
    expect(await session.getItems()).toEqual([user('a')])
  })

  test('lets one of two rivals replace its end, and the other changes nothing', async () => {
    const { session } = opened()
    await session.addItems([user('a'), user('b')])
    const replace = (operationId: string, content: string) =>
      session.applyHistoryTransaction({
        operationId,
        transaction: { type: 'replace_suffix', expectedSuffix: [user('b')], replacement: [user(content)] },
      })
    const [one, other] = await Promise.allSettled([replace('op-1', 'c'), replace('op-2', 'd')])
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected'])
    expect(await session.getItems()).toEqual([user('a'), user(one.status === 'fulfilled' ? 'c' : 'd')])
    const lost = one.status === 'rejected' ? one.reason : other.status === 'rejected' ? other.reason : undefined
    expect(lost).toMatchObject({ code: 'STALE_REVISION' })
  })

  test('that ended between a change and its erasure has the whole change, and erases what is left later', async () => {
    const { ada, session } = opened()
    await session.addItems(Array.from({ length: 30 }, (_, at) => user(`plum ${at}`)))
    const fails = () => Promise.reject(new TypeError('the process ended'))
    const ended = varveSession<AgentInputItem>({
      memory: { for: () => Object.assign(Object.create(ada), { forget: fails }) },
      scope: ada.scope,
      session: 'monday',
    })
    const expectedSuffix = await session.getItems(29)
    const args = { operationId: 'op', transaction: { type: 'replace_suffix' as const, expectedSuffix, replacement: [user('fig')] } }
    await expect(ended.applyHistoryTransaction(args)).rejects.toThrow('the process ended')
    expect(await session.getItems()).toEqual([user('plum 0'), user('fig')])
    expect(await ada.messages('monday', { limit: 100 })).toHaveLength(31)
    expect(await session.popItem()).toEqual(user('fig'))
    expect(await session.getItems()).toEqual([user('plum 0')])
    expect((await ada.messages('monday')).map(({ content }) => content)).toEqual(['plum 0'])
  })

  test('has function calls replaced where they stand, the first of an id alone, and the old ones are erased', async () => {
    const { ada, session } = opened()
    await session.addItems([aCall('c1', 'plum'), user('a'), aCall('c1', 'fig'), aCall('c2', 'pear'), user('b')])
    const mutation = (callId: string, replacement: FunctionCall) => ({ type: 'replace_function_call' as const, callId, replacement })
    await session.applyHistoryMutations({
      mutations: [mutation('c1', aCall('c3', 'quince')), mutation('c3', aCall('c4', 'medlar')), mutation('none', aCall('c5', 'sloe'))],
    })
    expect(await session.getItems()).toEqual([aCall('c4', 'medlar'), user('a'), aCall('c2', 'pear'), user('b')])
    expect(await session.getItems(2)).toEqual([aCall('c2', 'pear'), user('b')])
    expect(JSON.stringify(await ada.messages('monday'))).not.toMatch(/plum|fig|quince|sloe/)
  })

  test.each(['mutation', 'transaction'])('whose newest item a run replaced by a %s keeps what the run says after it', async (kind) => {
    const { session } = opened()
    const [call, replacement] = [aCall('c1', 'plum'), aCall('c1', 'quince')]
    await session.addItems([user('a'), call])
    await session.getItems()
    if (kind === 'mutation') {
      await session.applyHistoryMutations({ mutations: [{ type: 'replace_function_call', callId: 'c1', replacement }] })
    } else {
      const transaction = { type: 'replace_suffix' as const, expectedSuffix: [call], replacement: [replacement] }
      await session.applyHistoryTransaction({ operationId: 'replace', transaction })
    }
    const [result, next] = [everyKind['function result'], user('b')]
    await session.addItems([result, next])
    expect(await session.getItems()).toEqual([user('a'), replacement, result, next])
  })

  test('knows an operation after days, and refuses another one under its name', async () => {
    const clock = new ManualClock(Date.UTC(2026, 2, 2))
    const memory = await openForTest({ clock, embeddingModel: false, languageModel: false })
    const session = varveSession<AgentInputItem>({ memory, scope: { user: 'ada' }, session: 'monday' })
    const append = (...items: AgentInputItem[]) =>
      session.applyHistoryTransaction({ operationId: 'op', transaction: { type: 'append_items', items } })
    await append(user('a'))
    clock.advance(48 * 3_600_000)
    await append(user('a'))
    await expect(append(user('a'), user('b'))).rejects.toMatchObject({ code: 'IDEMPOTENCY_REUSED' })
    expect(await session.getItems()).toEqual([user('a')])
  })

  test('that is cleared is forgotten, with a receipt, and an operation of before does not come back', async () => {
    const { ada, session } = opened()
    const transaction = {
      operationId: 'op',
      transaction: { type: 'append_items' as const, items: [user('The cellar key is under the pot.')] },
    }
    await session.applyHistoryTransaction(transaction)
    await session.clearSession()
    await session.clearSession()
    expect(await session.getItems()).toEqual([])
    expect((await ada.recall('where is the cellar key?', { minConfidence: 0 })).hits).toEqual([])
    await session.applyHistoryTransaction(transaction)
    expect(await session.getItems()).toEqual([])
    const [receipt] = await shared.memory.receipts.list({ limit: 1 })
    expect(receipt).toMatchObject({ counts: { message: 1 }, logical: 'done' })
    await session.addItems([user('The key moved.')])
    expect(await session.getItems()).toEqual([user('The key moved.')])
  })

  test('that is compacted keeps what was said, once, and shows a model where to go on', async () => {
    const { ada, session } = opened()
    await session.addItems([user('a'), user('b'), user('c')])
    await session.replaceHistoryWithCompaction([everyKind.compaction, user('c')])
    expect(await session.getItems()).toEqual([user('a'), user('b'), everyKind.compaction, user('c')])
    expect(await ada.messages('monday')).toHaveLength(4)
    await session.replaceHistoryWithCompaction([everyKind.compaction, user('other')])
    expect((await session.getItems()).slice(-2)).toEqual([everyKind.compaction, user('other')])
  })

  test('of another user, project or name has none of its items', async () => {
    const { ada, session } = opened()
    await session.addItems([user('mine')])
    const { project } = ada.scope
    const of = (scope: { project: string; user?: string }, name = 'monday') =>
      varveSession<AgentInputItem>({ memory: shared.memory, scope, session: name })
    for (const other of [
      of({ project, user: 'bob' }),
      of({ project: 'another', user: 'ada' }),
      of({ project }),
      of(ada.scope, 'tuesday'),
    ]) {
      expect(await other.getItems()).toEqual([])
      expect(await other.popItem()).toBeUndefined()
      await other.clearSession()
    }
    expect(await session.getItems()).toEqual([user('mine')])
  })

  test('refuses a transaction that is none, and stores nothing of it', async () => {
    const { session } = opened()
    const wrong: unknown[] = [
      { operationId: ' ', transaction: { type: 'append_items', items: [user('a')] } },
      { operationId: 'op', transaction: { type: 'append_items', items: ['a'] } },
      { operationId: 'op', transaction: { type: 'erase' } },
    ]
    const apply: (args: never) => Promise<void> = (args) => session.applyHistoryTransaction(args)
    for (const args of wrong) await expect(Reflect.apply(apply, undefined, [args])).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    expect(await session.getItems()).toEqual([])
  })
})

test('a memory that never answers fails the history within its deadline', async () => {
  const hangs = () => new Promise<never>(() => undefined)
  const ada = shared.user()
  const hanging = { ...ada, append: hangs, messages: hangs, forget: hangs, context: hangs, sessions: { delete: hangs } }
  const session = varveSession<AgentInputItem>({ memory: { for: () => hanging }, scope: ada.scope, historyDeadlineMs: 5 })
  for (const call of [session.getItems(), session.addItems([user('Hello.')]), session.popItem(), session.clearSession()])
    await expect(call).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
})
