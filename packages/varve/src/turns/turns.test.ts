import { expect, onTestFinished, test, vi } from 'vitest'
import { openMemory } from '../memory/memory.ts'
import { HeldContexts } from './held-contexts.ts'
import type { TurnPlace } from './turn-captures.ts'
import { TurnDoor } from './turn-door.ts'
import type { TurnMemory } from './turn-memory.ts'

async function opened() {
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, languageModel: false })
  onTestFinished(() => memory.close())
  return { memory, ada: memory.for({ project: 'acme', user: 'ada' }) }
}

const never = () => new Promise<never>(() => undefined)
const question = { name: 'turn', query: 'When does the ferry leave?', isUnderWay: true }
const ferry = [{ id: 'm1', role: 'user' as const, content: 'The ferry leaves at noon.' }]

/** A door over one handle, and what it told of failures. */
function door(memory: TurnMemory, deadlineMs: number) {
  const told: string[] = []
  const one = new TurnDoor('varve/test', { memory: { for: () => memory }, deadlineMs, onFailed: (...why) => void told.push(why.join(' ')) })
  const place = (session = 'monday'): TurnPlace => ({ memory, session, key: session })
  return { one, place, told }
}

test('what was said in a turn is in the next turn’s context', async () => {
  const { ada } = await opened()
  const { one, place, told } = door(ada, 10_000)
  expect((await one.begins(place(), question, ferry)).text).toBeUndefined()
  const next = await one.begins(place('tuesday'), { ...question, name: 'next' }, [])
  expect(next.text).toContain('The ferry leaves at noon.')
  expect(told).toEqual([])
})

test('a memory that is closed costs a turn its memory and nothing else, and each failure is counted', async () => {
  const { memory, ada } = await opened()
  const { one, place, told } = door(ada, 10_000)
  await memory.close()
  for (const name of ['one', 'two']) {
    const { text } = await one.begins(place(), { ...question, name }, ferry)
    expect(text).toBeUndefined()
  }
  expect([...one.failures.counts]).toEqual([
    ['context memory-failed', 2],
    ['append MEMORY_CLOSED', 2],
  ])
  expect(told).toHaveLength(4)
})

// The wait is measured by a clock that only moves with the timers.
test('an engine that hangs costs a turn one deadline, for the recall and the person’s words, and its later calls nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { one, place, told } = door({ context: never, append: never, contexts: { get: never } }, 1_000)
  const waited = async (work: Promise<unknown>) => {
    const start = performance.now()
    let isDone = false
    void work.then(() => (isDone = true))
    for (;;) {
      // Work that is passed on by setImmediate comes first.
      await new Promise((resolve) => setImmediate(resolve))
      if (isDone) return performance.now() - start
      await vi.advanceTimersByTimeAsync(10)
    }
  }
  expect(await waited(one.begins(place(), question, ferry))).toBeLessThanOrEqual(1_010)
  expect(await waited(one.stored(place(), { messages: ferry }))).toBeLessThanOrEqual(10)
  expect(await waited(one.begins(place(), question, ferry))).toBeLessThanOrEqual(10)
  expect(told).toEqual(['context memory-late'])
  await waited(one.settled())
  expect([...one.failures.counts]).toEqual([
    ['context memory-late', 1],
    ['append DEADLINE_EXCEEDED', 3],
  ])
})

test('what was said in a turn whose store is late at its end is stored later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ada } = await opened()
  const late = Promise.withResolvers<void>()
  const append: typeof ada.append = async (...given) => late.promise.then(() => ada.append(...given))
  const { one, place, told } = door({ context: never, contexts: { get: never }, append }, 1_000)
  const answer = { id: 'm2', role: 'assistant' as const, content: 'At noon, then.' }
  const ended = one.ends(place(), { name: 'turn', asked: ferry, beforeTools: [], last: [answer] })
  await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(5_000)
  await ended
  late.resolve()
  await one.settled()
  expect(told).toEqual([])
  expect(await ada.messages('monday')).toHaveLength(2)
})

test('a turn that was told nothing is not told in its later calls, and waits once', async () => {
  const { ada } = await opened()
  await ada.append('monday', { role: 'user', content: 'The ferry leaves at noon.' })
  let asked = 0
  const context: typeof ada.context = (options) => {
    asked += 1
    return asked === 1 ? never() : ada.context(options)
  }
  const memory = { context, append: ada.append, contexts: ada.contexts }
  const held = new HeldContexts()
  const asking = { query: question.query, maxTokens: 500, deadlineMs: 20 }
  expect(await held.shown(memory, 'turn', false, asking)).toEqual({ degraded: ['memory-late'], isAgain: false })
  expect(await held.shown(memory, 'turn', true, asking)).toEqual({ degraded: ['memory-late'], isAgain: true })
  expect(asked).toBe(1)
  expect((await held.shown(memory, 'next turn', false, { ...asking, deadlineMs: 10_000 })).text).toContain('noon')
})

test('looking at a held context and asking anew share one deadline', async () => {
  const { ada } = await opened()
  await ada.append('monday', { role: 'user', content: 'The ferry leaves at noon.' })
  const held = new HeldContexts()
  const asking = { query: question.query, maxTokens: 500, deadlineMs: 10_000 }
  await held.shown(ada, 'turn', false, asking)
  const waits: number[] = []
  const context: typeof ada.context = ({ deadlineMs = 0 }) => {
    waits.push(deadlineMs)
    return never()
  }
  const slow = { context, contexts: { get: never } }
  expect(await held.shown(slow, 'turn', true, { ...asking, deadlineMs: 60 })).toEqual({ degraded: ['memory-late'], isAgain: false })
  expect(waits[0]).toBeLessThan(10)
})

test.each([
  ['the question', { messages: ['m1'] }],
  ['the session', {}],
])('what came of a question is not stored once %s is forgotten; what is said later is', async (_, part) => {
  const { ada } = await opened()
  const { one, place } = door(ada, 10_000)
  await one.stored(place(), { messages: ferry })
  const [first] = await ada.messages('monday')
  await ada.forget('messages' in part ? { messages: [first?.id ?? ''] } : { session: 'monday' })
  await one.stored(place(), { asked: ferry, messages: [{ id: 'm2', role: 'assistant', content: 'At noon, then.' }] })
  await one.stored(place(), { messages: [{ id: 'm3', role: 'assistant', content: 'It is forgotten.' }] })
  expect((await ada.messages('monday')).map(({ content }) => content)).toEqual(['It is forgotten.'])
})
