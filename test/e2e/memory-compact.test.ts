import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { InvalidOption, InvalidScope, LimitExceeded, MemoryClosed } from '../../packages/varve/src/index.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { inShape, shapeNames, type Step } from '../fixtures/compact/conversations.ts'
import { exactly, idsIn, notesIn } from '../fixtures/compact/read.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { listeningLogger, newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory()

/** Makes so many rounds with a tool call in each. */
function rounds(count: number): Step[] {
  return Array.from({ length: count }, (_, place): Step[] => [
    { is: 'user', text: `Please look at pier ${place}, the crane there is slow.` },
    { is: 'assistant', text: 'Looking.', calls: [{ id: `call-${place}`, path: `src/pier-${place}.ts` }] },
    { is: 'results', results: [{ id: `call-${place}`, output: `const load = ${place}; // tonnes` }] },
    { is: 'assistant', text: `Pier ${place} lifts ${place} tonnes.`, calls: [] },
  ]).flat()
}

const steps: readonly Step[] = [{ is: 'system', text: 'You are a harbour master.' }, ...rounds(20)]

describe.each(shapeNames)('a conversation in the shape %s', (shape) => {
  test('comes back in that shape, shorter: system messages, notes, and the newest as they were', async () => {
    const messages = inShape(shape, steps)
    const before = structuredClone(messages)
    const after = await shared.user().compact(messages, { session: 'talk', maxTokens: 400 })
    expect(messages).toEqual(before)
    const head = shape === 'anthropic' ? 0 : 1
    expect(after.slice(0, head)).toEqual(messages.slice(0, head))
    const { id, ...notes }: { id?: unknown } = { id: undefined, ...after[head] }
    const text = notesIn(after) ?? ''
    expect(notes).toEqual(shape === 'ui' ? { role: 'user', parts: [{ type: 'text', text }] } : { role: 'user', content: text })
    expect(String(id)).toMatch(shape === 'ui' ? /^notes-[0-9a-f]{16}$/ : /^undefined$/)
    const newest = after.slice(head + 1)
    expect(newest.length).toBeGreaterThan(1)
    expect(newest.every((message, place) => message === messages[messages.length - newest.length + place])).toBe(true)
    expect(exactly(after)).toBeLessThanOrEqual(400)
  })

  test('comes back as it was where it fits, in a list of its own', async () => {
    const messages = inShape(shape, steps)
    const after = await shared.user().compact(messages, { session: 'talk', maxTokens: 100_000 })
    expect(after).toEqual(messages)
    expect(after).not.toBe(messages)
  })
})

// requirement: P5.3
test('a long conversation is read in slices and crosses in pages: the event loop turns, and its list may change meanwhile', async () => {
  const messages = inShape('model', [...steps, ...rounds(3_000)])
  const given = [...messages]
  let [turns, isDone] = [0, false]
  const turn = (): void => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  const compacting = shared.user().compact(given, { session: 'talk', maxTokens: 2_000 })
  given.length = 0
  // Counts from here on: the engine itself, in this thread, is not counted.
  setImmediate(turn)
  const after = await compacting
  isDone = true
  const newest = after.slice(2)
  expect(after[0]).toBe(messages[0])
  expect(newest.length).toBeGreaterThan(1)
  expect(newest.every((message, place) => message === messages[messages.length - newest.length + place])).toBe(true)
  expect(exactly(after)).toBeLessThanOrEqual(2_000)
  expect(turns).toBeGreaterThanOrEqual(3)
})

test('an empty list stays empty', async () => {
  expect(await shared.user().compact([], { session: 'talk', maxTokens: 10 })).toEqual([])
})

test('what must stay and does not fit is refused with the tokens that it takes, and those are enough', async () => {
  const ada = shared.user()
  const messages = inShape('model', [{ is: 'system', text: 'Be brief. '.repeat(40) }, ...rounds(3)])
  const refused = await rejection(ada.compact(messages, { session: 'talk', maxTokens: 50 }))
  if (!(refused instanceof LimitExceeded)) throw refused
  expect(refused).toMatchObject({ unit: 'tokens', most: 50, message: expect.stringContaining('last user message') })
  expect(exactly(await ada.compact(messages, { session: 'talk', maxTokens: refused.count }))).toBeLessThanOrEqual(refused.count)
  expect(await rejection(ada.compact(messages, { session: 'talk', maxTokens: refused.count - 1 }))).toMatchObject({ count: refused.count })
})

test('words without a break are counted in pieces, and bytes of a picture not at all', async () => {
  const ada = shared.user()
  const picture = { type: 'image', image: 'QUJD'.repeat(400_000), mediaType: 'image/png' }
  const messages = [
    { role: 'user', content: '港'.repeat(30_000) },
    { role: 'user', content: [picture, { type: 'text', text: 'What is this?' }] },
  ]
  const after = await ada.compact(messages, { session: 'talk', maxTokens: 3_000 })
  expect(after.at(-1)).toBe(messages[1])
  expect(after).not.toContain(messages[0])
  expect(ada.shouldCompact(messages.slice(1), { window: 2_500 })).toBe(false)
})

test.each([
  ['a budget that is none', { session: 'talk', maxTokens: 0 }, InvalidOption],
  ['a fraction of a token', { session: 'talk', maxTokens: 1.5 }, InvalidOption],
  ['no budget', { session: 'talk' }, InvalidOption],
  ['an option that is not known', { session: 'talk', maxTokens: 100, keep: 3 }, InvalidOption],
  ['no session', { maxTokens: 100 }, InvalidScope],
  ['no options', undefined, InvalidOption],
])('%s is refused', async (_, options, error) => {
  const compact: (...args: unknown[]) => Promise<unknown> = (...args) =>
    Promise.resolve(Reflect.apply(shared.user().compact, shared.user(), args))
  expect(await rejection(compact([{ role: 'user', content: 'x' }], options))).toBeInstanceOf(error)
})

test.each([
  ['no list', 'hello'],
  [
    'mixed shapes',
    [
      { role: 'user', parts: [] },
      { role: 'user', content: 'x' },
    ],
  ],
  ['a circle', [circle()]],
])('messages that are %s are refused', async (_, messages) => {
  const ada = shared.user()
  expect(await rejection(Promise.resolve(Reflect.apply(ada.compact, ada, [messages, { session: 'talk', maxTokens: 100 }])))).toBeInstanceOf(
    InvalidOption,
  )
  expect(() => Reflect.apply(ada.shouldCompact, ada, [messages, { window: 100 }])).toThrow(InvalidOption)
})

function circle(): object {
  const input: Record<string, unknown> = {}
  input['self'] = input
  return { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input }] }
}

// requirement: NOTE-16
test('compaction calls no language model and writes nothing', async () => {
  const store = newStore()
  const { memory, server } = await distilling({ store, layers: { notes: true } })
  const ada = memory.for('ada')
  await ada.append('known', { role: 'user', content: 'Please look at pier 3, the crane there is slow.' })
  await ada.notes.edit('known', '# Mine\n\n- The crane is slow.')
  const messages = inShape('model', steps)
  const other = new Database(store, { readonly: true })
  onTestFinished(() => void other.close())
  // SQLite counts the changes of other connections here.
  const changes = (): unknown => other.pragma('data_version', { simple: true })
  const before = changes()
  for (const session of ['talk', 'known']) await ada.compact(messages, { session, maxTokens: 300 })
  expect(server.count).toBe(0)
  expect((await ada.sessions.list()).map(({ id }) => id)).toEqual(['known'])
  expect(changes()).toBe(before)
})

test('what a context had shown is not written down as if it had been said', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'We decided that the gate of pier 3 opens with `GATE-4711`.' })
  const { text } = await ada.context({ query: 'How does the gate of pier 3 open?' })
  expect(text).toContain('GATE-4711')
  const asked = (before: string): Step[] => [{ is: 'user', text: `${before}We decided to paint \`PIER-9\` green.` }, ...rounds(60)]
  const told = notesIn(await ada.compact(inShape('model', asked(`${text}\n`)), { session: 'talk', maxTokens: 2_500 }))
  expect(told).toContain('PIER-9')
  expect(told).not.toContain('GATE-4711')
})

test('a store that does not answer in time leaves the newest and a word on the rest, counted and warned about once', async () => {
  const memory = await openForTest({ store: newStore(), engine: 'threads' })
  const ada = memory.for('ada')
  await ada.append(
    'long',
    Array.from({ length: 3_000 }, (_, place) => ({
      role: 'user' as const,
      content: `the ferry number ${place} leaves from pier ${place % 9}`,
    })),
  )
  const messages = inShape('model', steps)
  const before = memory.counters().failedOpen
  const busy = Promise.all(
    Array.from({ length: 3 }, () =>
      ada.recall(`ferry pier ${Array.from({ length: 120 }, (_, place) => place).join(' ')}`, { limit: 1_000 }),
    ),
  )
  const after = await ada.compact(messages, { session: 'long', maxTokens: 400, deadlineMs: 1 })
  await busy
  expect(memory.counters().failedOpen).toBe(before + 1)
  checkLeftOut(messages, after)
})

test('a store that fails does the same; once it answers, what was left out is read from it', async () => {
  const store = newStore()
  const logger = listeningLogger()
  const memory = await openForTest({ store, logger, layers: { gists: false, facts: false } })
  const ada = memory.for('ada')
  const messages = inShape('model', steps)
  await ada.append(
    'talk',
    inShape('own', steps).map((message) => ({ role: 'user', content: '', ...message })),
  )
  await ada.messages('talk')
  withStore(store, 'ALTER TABLE message RENAME TO away')
  const first = await ada.compact(messages, { session: 'talk', maxTokens: 400 })
  checkLeftOut(messages, first)
  const second = await ada.compact(first, { session: 'talk', maxTokens: 400 })
  expect(second).toEqual(first)
  expect(logger.warnings.filter((warning) => warning.includes('STORE_FAILED'))).toHaveLength(1)
  withStore(store, 'ALTER TABLE away RENAME TO message')
  const third = await ada.compact(second, { session: 'talk', maxTokens: 400 })
  expect(JSON.stringify(third)).not.toContain('are left out here')
  expect(notesIn(third)).toMatch(/pier 1\d/)
})

function withStore(store: string, sql: string): void {
  const connection = openConnection(store)
  connection.exec(sql)
  connection.close()
}

function checkLeftOut(messages: readonly object[], after: readonly object[]): void {
  expect(after[0]).toBe(messages[0])
  const count = messages.length - (after.length - 1)
  expect(after[1]).toEqual({
    role: 'user',
    content: `[${count} earlier messages of this conversation are left out here: its notes could not be read.]`,
  })
  expect(after.slice(2)).toEqual(messages.slice(-(after.length - 2)))
  expect(exactly(after)).toBeLessThanOrEqual(400)
  const { calls, results } = idsIn(after)
  expect(results).toEqual(calls)
}

test('a memory that is closed rejects', async () => {
  const memory = await openForTest()
  const ada = memory.for('ada')
  await memory.close()
  expect(await rejection(ada.compact([{ role: 'user', content: 'x' }], { session: 'talk', maxTokens: 100 }))).toBeInstanceOf(MemoryClosed)
})

test.each([
  ['in itself', inItself],
  ['100,000 levels deep', () => levels(100_000)],
  ['of a bigint', () => ({ port: 4711n })],
])('a tool’s input %s, which no JSON holds, is refused as the caller’s mistake', async (_, input) => {
  const ada = shared.user()
  const messages = [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'bash', input: input() }] },
    { role: 'user', content: 'go on' },
  ]
  expect(await rejection(ada.compact(messages, { session: 'talk', maxTokens: 400 }))).toBeInstanceOf(InvalidOption)
  expect(() => ada.shouldCompact(messages, { window: 1_000 })).toThrow(InvalidOption)
})

function inItself(): object {
  const whole: { part?: object } = {}
  whole.part = whole
  return whole
}

function levels(count: number): object {
  let inner = {}
  for (let level = 0; level < count; level += 1) inner = { inner }
  return inner
}

test('an event says what was compacted', async () => {
  const memory = await openForTest()
  const events = memory.events()
  await memory.for({ project: 'acme', user: 'ada' }).compact(inShape('model', steps), { session: 'talk', maxTokens: 400 })
  const { value } = await events.next()
  expect(value).toMatchObject({ type: 'compacted', project: 'acme', user: 'ada', session: 'talk', messages: 81 })
  await events.return?.()
})

describe('whether a conversation is to be compacted', () => {
  test('is told at once, and goes by the share of the window', () => {
    const ada = shared.user()
    const messages = [{ role: 'user', content: 'lamp '.repeat(1_000) }]
    expect(ada.shouldCompact(messages, { window: 1_000 })).toBe(true)
    expect(ada.shouldCompact(messages, { window: 1_300 })).toBe(false)
    expect(ada.shouldCompact(messages, { window: 1_300, at: 0.7 })).toBe(true)
    expect(ada.shouldCompact([], { window: 1 })).toBe(false)
  })

  test.each(shapeNames.filter((shape) => shape !== 'own'))(
    'counts what tools were given and what they answered, in the shape %s',
    (shape) => {
      const ada = shared.user()
      const used = (path: string, output: string): object[] =>
        inShape(shape, [
          { is: 'assistant', text: '', calls: [{ id: 'a', path }] },
          { is: 'results', results: [{ id: 'a', output }] },
        ])
      expect(ada.shouldCompact(used('a.ts', 'ok'), { window: 1_000 })).toBe(false)
      expect(ada.shouldCompact(used('a.ts', 'lamp '.repeat(1_000)), { window: 1_000 })).toBe(true)
      expect(ada.shouldCompact(used('lamp '.repeat(1_000), 'ok'), { window: 1_000 })).toBe(true)
    },
  )

  test('looks again at a message that grew since', () => {
    const ada = shared.user()
    const message = { role: 'assistant', content: 'lamp' }
    expect(ada.shouldCompact([message], { window: 1_000 })).toBe(false)
    message.content = 'lamp '.repeat(1_000)
    expect(ada.shouldCompact([message], { window: 1_000 })).toBe(true)
  })

  test('is estimated of a long conversation to within a tenth', () => {
    const ada = shared.user()
    const messages = inShape('model', rounds(2_000))
    const tokens = exactly(messages)
    expect(ada.shouldCompact(messages, { window: Math.round(tokens * 0.85), at: 1 })).toBe(true)
    expect(ada.shouldCompact(messages, { window: Math.round(tokens * 1.15), at: 1 })).toBe(false)
  })

  test.each([
    { window: 0 },
    { window: -1 },
    { window: Number.NaN },
    { window: 1.5 },
    {},
    { window: 100, at: 0 },
    { window: 100, at: 1.1 },
    { window: 100, at: Number.NaN },
    { window: 100, at: '0.8' },
    { window: 100, share: 1 },
  ])('refuses %o', (options) => {
    expect(() => Reflect.apply(shared.user().shouldCompact, shared.user(), [[], options])).toThrow(InvalidOption)
  })
})
