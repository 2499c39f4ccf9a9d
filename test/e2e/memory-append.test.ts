import Database from 'better-sqlite3'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { InvalidMessage, type MessageInput } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { commitsIn } from '../fixtures/memory/wal.ts'

const shared = sharedMemory()
const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function said(content: string, more: Partial<MessageInput> = {}): MessageInput {
  return { role: 'user', content, ...more }
}

test('200 concurrent appends share a handful of commits, and a lone one has its own', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const ada = memory.for('ada')
  await ada.append('warm-up', said('the detector is loaded'))
  const before = commitsIn(`${store}-wal`)
  await Promise.all(Array.from({ length: 200 }, (_, place) => ada.append(`talk ${place % 7}`, said(`message ${place}`))))
  const together = commitsIn(`${store}-wal`) - before
  expect(together).toBeGreaterThan(0)
  expect(together).toBeLessThanOrEqual(20)
  for (let place = 0; place < 5; place += 1) await ada.append('alone', said(`message ${place}`))
  expect(commitsIn(`${store}-wal`) - before - together).toBe(5)
  const stored = await Promise.all(Array.from({ length: 7 }, (_, place) => ada.messages(`talk ${place}`, { limit: 1_000 })))
  expect(stored.map((messages) => messages.map(({ seq }) => seq))).toEqual(stored.map((messages) => messages.map((_, place) => place + 1)))
  expect(stored.flat()).toHaveLength(200)
})

// requirement: P1.3
test('what was acknowledged is in the files at that moment: a copy of them, taken without closing anything, has it', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  for (let round = 0; round < 5; round += 1) {
    const {
      messages: [stored],
    } = await memory.for('ada').append('talk', said(`round ${round}`))
    const copy = join(dirname(store), `copy ${round}.db`)
    for (const suffix of ['', '-wal']) cpSync(`${store}${suffix}`, `${copy}${suffix}`)
    const reader = new Database(copy)
    expect(reader.prepare('SELECT content, seq FROM message ORDER BY seq DESC LIMIT 1').get()).toEqual({
      content: `round ${round}`,
      seq: stored?.seq,
    })
    reader.close()
  }
})

test('the store’s own connections sync every commit', async () => {
  const memory = await openForTest({ store: newStore() })
  const { checks } = await memory.doctor()
  expect(checks.find(({ name }) => name === 'sqlite')?.detail).toMatch(/journal_mode=wal, synchronous=2, secure_delete=1/)
})

test('a quick append passes a long one to another session, never one to its own', async () => {
  const memory = await openForTest({ store: newStore() })
  const ada = memory.for('ada')
  await ada.append('warm-up', said('the detector is loaded'))
  const long = Array.from({ length: 2_000 }, (_, place) => said(`sentence ${place} of a long story about locks and barges`))
  const settled: string[] = []
  const append = async (name: string, session: string, messages: MessageInput | MessageInput[]): Promise<void> => {
    await ada.append(session, messages)
    settled.push(name)
  }
  await Promise.all([
    append('long', 'story', long),
    append('after it', 'story', said('the end')),
    append('long again', 'story', long),
    append('elsewhere', 'talk', said('how is the story?')),
  ])
  expect(settled[0]).toBe('elsewhere')
  expect(settled).toHaveLength(4)
  const stored = await ada.messages('story', { limit: 10_000 })
  expect(stored.map(({ content }) => content)).toEqual([...long, said('the end'), ...long].map(({ content }) => content))
})

const flaws: readonly (readonly [field: string, message: unknown])[] = [
  ['content', { role: 'user', content: '' }],
  ['content', { role: 'user', content: 'a\0b' }],
  ['content', { role: 'user', content: '\ud800' }],
  ['content', { role: 'user', content: 'x\udc00y' }],
  ['content', { role: 'user', content: 'é'.repeat(524_289) }],
  ['content', { role: 'user', content: 7 }],
  ['content', { role: 'user' }],
  ['content', { role: 'user', content: null }],
  ['content', { role: 'user', content: { text: 'x' } }],
  ['role', { role: 'USER', content: 'x' }],
  ['role', { content: 'x' }],
  ['it', null],
  ['it', 'text'],
  ['it', [said('x')]],
  ['origin', { role: 'user', content: 'x', origin: 'god' }],
  ['id', said('x', { id: '' })],
  ['id', said('x', { id: 'y'.repeat(513) })],
  ['name', said('x', { name: '\ud800' })],
  ['thread', said('x', { thread: 'a\0' })],
  ['metadata', said('x', { metadata: 'text' as never })],
  ['metadata', said('x', { metadata: { n: Number.NaN } })],
  ['metadata', said('x', { metadata: { big: 'x'.repeat(16_385) } })],
  ['metadata', said('x', { metadata: [] as never })],
  ['parts', said('x', { parts: [1n] })],
  ['at', said('x', { at: 'yesterday' })],
  ['at', said('x', { at: '2026-01-05T09:00' })],
  ['at', said('x', { at: Number.NaN })],
  ['at', said('x', { at: null as never })],
  ['at', said('x', { at: new Date('no date') })],
  ['at', said('x', { at: Infinity })],
  ['at', said('x', { at: Date.now() + 86_400_000 + 60_000 })],
]

// requirement: P1.10
test('a batch is all or none: the first bad message is named by its place, and nothing of its batch stays', async () => {
  const ada = shared.user()
  for (const [field, flaw] of flaws) {
    const batch = [
      said('good'),
      said('good as well'),
      flaw as MessageInput,
      said('never looked at'),
      { role: 'user', content: '' } as const,
    ]
    const error = await rejection(ada.append('talk', batch))
    expect(error).toBeInstanceOf(InvalidMessage)
    expect(error).toMatchObject({ index: 2, field, isRetryable: false })
    expect((error as Error).message.length).toBeLessThan(400)
    if (!Array.isArray(flaw)) expect(await rejection(ada.append('talk', flaw as MessageInput))).toMatchObject({ index: 0, field })
  }
  expect(await ada.messages('talk')).toEqual([])
  expect(await ada.sessions.list()).toEqual([])
})

// requirement: P4.8
test('a message may be a day ahead of the store’s clock, and not a millisecond more', async () => {
  const clock = new ManualClock()
  const ada = (await openForTest({ clock })).for('ada')
  const day = 86_400_000
  await ada.append('talk', [
    said('ahead', { at: clock.now() + day }),
    said('ancient', { at: '0001-01-02' }),
    said('zoned', { at: '2026-01-05T10:30:00+02:00' }),
  ])
  expect(await rejection(ada.append('talk', said('too far', { at: clock.now() + day + 1 })))).toMatchObject({ field: 'at' })
  const messages = await ada.messages('talk')
  expect(messages.map(({ at }) => at)).toEqual([clock.now() + day, -62_135_510_400_000, Date.UTC(2026, 0, 5, 8, 30)])
  expect(new Set(messages.map(({ recordedAt }) => recordedAt))).toEqual(new Set([clock.now()]))
})

test('ids are uuids of version 7, each its own, that tell when they were stored', async () => {
  const clock = new ManualClock()
  const ada = (await openForTest({ clock })).for('ada')
  const ids: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const { messages } = await ada.append(
      'talk',
      Array.from({ length: 50 }, (_, place) => said(`${place}`)),
    )
    for (const { id } of messages) {
      expect(id).toMatch(uuid7)
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(clock.now())
      ids.push(id)
    }
    clock.advance(1)
  }
  expect(new Set(ids).size).toBe(150)
})

// requirement: P1.12
test('an external id is stored once a session and reported; the same words without one are stored again', async () => {
  const ada = shared.user()
  const first = await ada.append('talk', [said('one', { id: 'a' }), said('two', { id: 'b' })])
  const again = await ada.append('talk', [
    said('two', { id: 'b' }),
    said('three', { id: 'c' }),
    said('one, edited', { id: 'a' }),
    said('three', { id: 'c' }),
  ])
  expect(again.duplicates).toEqual(['b', 'a', 'c'])
  expect(again.messages.map(({ seq, duplicate, externalId }) => [seq, duplicate, externalId])).toEqual([
    [2, true, 'b'],
    [3, false, 'c'],
    [1, true, 'a'],
    [3, true, 'c'],
  ])
  expect(again.messages[2]?.id).toBe(first.messages[0]?.id)
  await ada.append('talk', [said('one'), said('one')])
  expect((await ada.messages('talk')).map(({ content, seq }) => [content, seq])).toEqual([
    ['one', 1],
    ['two', 2],
    ['three', 3],
    ['one', 4],
    ['one', 5],
  ])
  expect((await ada.append('another talk', said('one', { id: 'a' }))).duplicates).toEqual([])
})

test('the same external id appended fifty times at once is one message', async () => {
  const ada = shared.user()
  const results = await Promise.all(Array.from({ length: 50 }, () => ada.append('talk', said('once', { id: 'x' }))))
  expect(results.filter(({ duplicates }) => duplicates.length === 0)).toHaveLength(1)
  expect(new Set(results.flatMap(({ messages }) => messages.map(({ id }) => id))).size).toBe(1)
  expect(await ada.messages('talk')).toHaveLength(1)
})

test('an empty batch is no session and no event', async () => {
  const ada = shared.user()
  expect(await ada.append('talk', [])).toEqual({ messages: [], duplicates: [], skipped: [] })
  expect(await ada.sessions.list()).toEqual([])
})

test('an assistant that was stopped before its first word does not cost the user’s line: it is skipped and reported', async () => {
  const ada = shared.user()
  const stopped = { role: 'assistant', content: '' } as const
  const skipped = (index: number) => ({ index, reason: 'the assistant said nothing' })
  const first = await ada.append('talk', [said('When does the ferry leave?', { id: 'q' }), { ...stopped, id: 'a' }])
  expect(first.messages.map(({ externalId }) => externalId)).toEqual(['q'])
  expect(first.skipped).toEqual([skipped(1)])
  // Nothing of it is stored, so the whole answer may come later under the same id.
  const whole = await ada.append('talk', said('At nine.', { role: 'assistant', id: 'a' }))
  expect([whole.duplicates, whole.skipped]).toEqual([[], []])
  expect((await ada.messages('talk')).map(({ content }) => content)).toEqual(['When does the ferry leave?', 'At nine.'])
  // Alone, in one piece or in slices, it makes no session.
  expect(await ada.append('silent', stopped)).toEqual({ messages: [], duplicates: [], skipped: [skipped(0)] })
  const many = await ada.append(
    'silent',
    Array.from({ length: 10_000 }, () => stopped),
  )
  expect([many.messages, many.skipped.length]).toEqual([[], 10_000])
  expect((await ada.sessions.list()).map(({ id }) => id)).toEqual(['talk'])
  for (const role of ['user', 'tool', 'system'] as const)
    expect(await rejection(ada.append('talk', [stopped, { role, content: '' }]))).toMatchObject({ index: 1, field: 'content' })
})
