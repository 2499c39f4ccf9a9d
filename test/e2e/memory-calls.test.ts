import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  Cancelled,
  DeadlineExceeded,
  InvalidOption,
  MemoryClosed,
  openMemory,
  type UserMemory,
  VarveError,
} from '../../packages/varve/src/index.ts'
import manifest from '../../packages/varve/package.json' with { type: 'json' }
import { leastNode } from '../../packages/varve/src/memory/memory.ts'
import { callsOfStore, callsOfUser, operationNames } from '../fixtures/memory/every-call.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory()
const line = { role: 'user', content: 'the ferry leaves at nine' } as const

/** Holds the store's write lock, as another process in the middle of a transaction does. */
function holdWriteLock(store: string): () => void {
  const other = new Database(store)
  other.exec('BEGIN IMMEDIATE')
  return () => {
    if (other.open) other.close()
  }
}

/** Gives the error of a call, once it has rejected. */
function settling(call: Promise<unknown>): { reason?: unknown } {
  const settled: { reason?: unknown } = {}
  call.then(
    () => (settled.reason = 'it was stored'),
    (reason: unknown) => (settled.reason = reason),
  )
  return settled
}

/** Calls that each take a signal and a deadline. */
const calls: Record<string, (ada: UserMemory, options: { signal?: AbortSignal; deadlineMs?: number }) => Promise<unknown>> = {
  append: (ada, options) => ada.append('talk', line, options),
  replace: (ada, options) => ada.replace('01a1fe5f-52bf-7573-9d35-de1f00000001', 'x', options),
  messages: (ada, options) => ada.messages('talk', options),
  timeline: (ada, options) => ada.timeline(options),
  follow: (ada, options) => ada.follow(options),
  changes: (ada, options) => ada.changes(options),
  recall: (ada, options) => ada.recall('ferry', options),
  context: (ada, options) => ada.context({ query: 'ferry', ...options }),
  forget: (ada, options) => ada.forget({ all: true }, options),
  previewForget: (ada, options) => ada.previewForget({ all: true }, options),
}

test('a call whose signal was aborted before does nothing and rejects with Cancelled, its reason as the cause', async () => {
  const ada = shared.user()
  await ada.append('talk', line)
  const signal = AbortSignal.abort('changed my mind')
  for (const [name, call] of Object.entries(calls)) {
    const error = await rejection(call(ada, { signal }))
    expect(error, name).toBeInstanceOf(Cancelled)
    expect((error as Cancelled).cause).toBe('changed my mind')
  }
  expect(await ada.messages('talk')).toHaveLength(1)
})

test('a deadline that is no positive number is refused', async () => {
  for (const deadlineMs of [0, -1, Number.NaN, Infinity, 2 ** 31, '10' as never, null as never]) {
    expect(await rejection(calls['append']?.(shared.user(), { deadlineMs }) ?? Promise.resolve())).toBeInstanceOf(InvalidOption)
  }
})

// requirement: P5.2
test('an append that waits for another process’s lock keeps its deadline and its signal, and the next one succeeds', async () => {
  const store = newStore()
  const ada = (await openForTest({ store, engine: 'threads' })).for('ada')
  await ada.append('talk', line)
  const release = holdWriteLock(store)
  try {
    // The writing thread waits for the lock in real time, 5 seconds a statement. A call that settles while the clock
    // stands still did not wait for it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const late = settling(ada.append('talk', line, { deadlineMs: 60 }))
    await vi.advanceTimersByTimeAsync(59)
    expect(late.reason).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(late.reason).toBeInstanceOf(DeadlineExceeded)
    expect(late.reason).toMatchObject({ operation: 'append', deadlineMs: 60, isRetryable: true })
    const controller = new AbortController()
    const cancelled = settling(ada.append('talk', line, { signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(cancelled.reason).toBeUndefined()
    controller.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect(cancelled.reason).toBeInstanceOf(Cancelled)
    vi.useRealTimers()
    // Reading is not held up by a writer.
    expect((await ada.recall('ferry')).degraded).toEqual([])
  } finally {
    release()
  }
  await ada.append('talk', { role: 'user', content: 'after the lock' })
  expect((await ada.messages('talk')).at(-1)?.content).toBe('after the lock')
})

// requirement: P5.1
test('recall and context that do not answer in time fail open: empty, degraded, counted and warned about', async () => {
  const memory = await openForTest({ store: newStore(), engine: 'threads' })
  const ada = memory.for('ada')
  await ada.append(
    'talk',
    Array.from({ length: 3_000 }, (_, place) => ({
      role: 'user' as const,
      content: `the ferry number ${place} leaves from pier ${place % 9}`,
    })),
  )
  const long = `ferry pier ${Array.from({ length: 120 }, (_, place) => place).join(' ')}`
  const before = memory.counters().failedOpen
  // The thread that reads is busy with these for far longer than the deadline of the next two.
  const busy = Promise.all(Array.from({ length: 3 }, () => ada.recall(long, { limit: 1_000 })))
  const [recalled, context] = await Promise.all([ada.recall('ferry', { deadlineMs: 1 }), ada.context({ query: 'ferry', deadlineMs: 1 })])
  expect(recalled).toEqual({ hits: [], degraded: [expect.stringMatching(/^recall failed: .*1 ms/)] })
  expect(context).toMatchObject({ text: '', tokens: 0, sections: [], degraded: [expect.stringMatching(/^context failed: .*1 ms/)] })
  expect(memory.counters().failedOpen).toBe(before + 2)
  await busy
  expect((await ada.recall('ferry', { deadlineMs: 10_000 })).degraded).toEqual([])
})

test('the Node that a memory asks for is the one that the package asks for', () => {
  expect(manifest.engines.node).toBe(`>=${leastNode}`)
})

test('input that is wrong rejects a question too: options that are not known, deadlines and signals that are none', async () => {
  const ada = shared.user()
  const wrong: object[] = [
    { limt: 3 },
    { sesion: 'talk' },
    { deadlineMs: 0 },
    { deadlineMs: Number.NaN },
    { signal: 'x' },
    { signal: null },
  ]
  for (const options of wrong) {
    expect(await rejection(ada.recall('ferry', options)), JSON.stringify(options)).toBeInstanceOf(InvalidOption)
    expect(await rejection(ada.context({ query: 'ferry', ...options })), JSON.stringify(options)).toBeInstanceOf(InvalidOption)
  }
  const tiers: object = { tiers: { sharp: {} } }
  expect(await rejection(ada.context({ query: 'ferry', ...tiers }))).toBeInstanceOf(InvalidOption)
})

/** The methods as a caller without types may use them. */
type Parsed = ReturnType<typeof JSON.parse>

test('options, settings and details that are no object reject with InvalidOption', async () => {
  const { memory } = shared
  const ada = shared.user()
  const project = memory.project('default')
  const all: Record<string, (none: Parsed) => Promise<unknown>> = {
    ...Object.fromEntries(
      Object.entries(calls)
        .filter(([name]) => name !== 'context')
        .map(([name, call]) => [name, (none: Parsed) => call(ada, none)]),
    ),
    context: (none) => ada.context(none),
    distil: (none) => ada.distil('talk', none),
    'settings.set': (none) => ada.settings.set(none),
    'project settings.set': (none) => project.settings.set(none),
    'gists.list': (none) => ada.gists.list(none),
    'gists.get': (none) => ada.gists.get('talk', none),
    'gists.pending': (none) => ada.gists.pending('talk', none),
    'bank.entries': (none) => ada.bank.entries(none),
    'bank.stats': (none) => ada.bank.stats(none),
    'bank.render': (none) => ada.bank.render(100, none),
    'bank.pin': (none) => ada.bank.pin('x', true, none),
    'sessions.list': (none) => ada.sessions.list(none),
    'sessions.ensure': (none) => ada.sessions.ensure('talk', none),
    'shared bank.entries': (none) => project.bank.entries(none),
    ledger: (none) => memory.ledger(none),
    'receipts.list': (none) => memory.receipts.list(none),
    'upkeep.run': (none) => memory.upkeep.run(none),
  }
  for (const [name, call] of Object.entries(all)) {
    for (const none of ['null', '7', '"x"', '[]'])
      expect(await rejection(call(JSON.parse(none))), `${name} ${none}`).toBeInstanceOf(InvalidOption)
  }
  const shapes = { null: 'null', 7: '7', '"x"': 'a string of 1 character', '[]': 'an array of 0' }
  for (const [none, shape] of Object.entries(shapes))
    expect(() => ada.shouldCompact([], JSON.parse(none))).toThrow(`options must be an object: received ${shape}.`)
})

test('a context is given soon while another process keeps the store from being written', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const ada = memory.for('ada')
  await ada.append('talk', line)
  const release = holdWriteLock(store)
  const context = await ada.context({ session: 'talk', query: 'ferry', deadlineMs: 2_000 })
  expect(context).toMatchObject({ degraded: [] })
  expect(context.text).not.toBe('')
  release()
})

test('contexts without a session do not wait for the store to be written', async () => {
  const store = newStore()
  const memory = await openForTest({ store, engine: 'threads', embeddingModel: false })
  const ada = memory.for('ada')
  await ada.append('talk', line)
  await ada.context({ query: 'ferry' })
  const release = holdWriteLock(store)
  // The writing thread waits with it for the lock, and all notes wait behind it.
  const appended = memory.for('bob').append('talk', line)
  const before = performance.now()
  for (let round = 0; round < 16; round += 1) expect((await ada.context({ query: 'ferry' })).text).not.toBe('')
  // Each would wait for 250 ms.
  expect(performance.now() - before).toBeLessThan(2_000)
  release()
  await appended
  expect(await ada.contexts.list()).toHaveLength(17)
})

test('recall that is aborted while it waits rejects with Cancelled: that is the caller’s own wish', async () => {
  const ada = shared.user()
  await ada.append('talk', line)
  const controller = new AbortController()
  const waiting = rejection(ada.recall('ferry', { signal: controller.signal }))
  controller.abort()
  expect(await waiting).toBeInstanceOf(Cancelled)
})

test('a signal that outlives many calls gathers no listeners', async () => {
  const { signal } = new AbortController()
  let listening = 0
  const counted = new Proxy(signal, {
    get(target, name) {
      if (name === 'addEventListener')
        return (...args: Parameters<AbortSignal['addEventListener']>) => void ((listening += 1), target.addEventListener(...args))
      if (name === 'removeEventListener')
        return (...args: Parameters<AbortSignal['removeEventListener']>) => void ((listening -= 1), target.removeEventListener(...args))
      return Reflect.get(target, name, target)
    },
  })
  const ada = shared.user()
  for (let round = 0; round < 10; round += 1) await ada.recall('ferry', { signal: counted })
  expect(listening).toBe(0)
})

// requirement: P5.10
test('after close every call rejects with MemoryClosed, closing again is fine, and so is await using', async () => {
  let ada: UserMemory
  let closed: Awaited<ReturnType<typeof openMemory>>
  const store = newStore()
  {
    await using memory = await openMemory({ store })
    closed = memory
    ada = memory.for('ada')
    await ada.append('talk', line)
  }
  const all = { ...callsOfUser(ada), ...callsOfStore(closed) }
  expect(Object.keys(all).toSorted()).toEqual((['user', 'project', 'memory'] as const).flatMap(operationNames).toSorted())
  for (const [name, call] of Object.entries(all)) {
    const error = await rejection(call())
    expect(error, name).toBeInstanceOf(MemoryClosed)
  }
  expect(await rejection(ada.append('talk', line, { deadlineMs: 1_000 }))).toBeInstanceOf(MemoryClosed)
  await Promise.all([closed.close(), closed.close()])
  await closed[Symbol.asyncDispose]()
  const reopened = await openForTest({ store })
  expect(await reopened.for('ada').messages('talk')).toHaveLength(1)
})

test('calls that a close overtakes either did what they say or reject with an error of Varve, never hang', async () => {
  const store = newStore()
  const memory = await openMemory({ store, upkeep: 'manual' })
  const ada = memory.for('ada')
  await ada.append('talk', line)
  const appends = Array.from({ length: 30 }, (_, place) =>
    ada.append('talk', { role: 'user', content: `message ${place}`, id: `${place}` }),
  )
  const reads = [ada.recall('ferry'), ada.messages('talk'), ada.context({ query: 'ferry' }), ada.sessions.list()]
  const closing = memory.close()
  const outcomes = await Promise.allSettled([...appends, ...reads])
  await closing
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(VarveError)
  const reopened = await openForTest({ store })
  const kept = new Set((await reopened.for('ada').messages('talk', { limit: 100 })).map(({ externalId }) => externalId))
  for (const [place, outcome] of outcomes.slice(0, 30).entries()) if (outcome.status === 'fulfilled') expect(kept).toContain(`${place}`)
})
