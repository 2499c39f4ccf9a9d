import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { InvalidOption, NotFound } from '../../packages/varve/src/index.ts'
import { perLayer } from '../../packages/varve/src/storage/layers.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const line = { role: 'user', content: 'the ferry leaves at nine' } as const

test('projects are created, listed by name, and deleted for all of their users', async () => {
  const clock = new ManualClock()
  const memory = await openForTest({ clock })
  await (await memory.projects.create('zoo')).settings.set({ timeZone: 'Europe/Berlin' })
  await memory.projects.create('zoo')
  for (const user of ['bob', 'ada']) await memory.for({ project: 'acme', user }).append('talk', line)
  await memory.for({ project: 'acme' }).append('talk', line)
  expect(await memory.projects.list()).toEqual([
    { name: 'acme', createdAt: clock.now() },
    { name: 'zoo', createdAt: clock.now() },
  ])
  expect(await memory.project('acme').users()).toEqual(['ada', 'bob'])
  const receipt = await memory.projects.delete('acme')
  expect(receipt).toMatchObject({ counts: { message: 3, session: 3, partition: 3 }, logical: 'done', physical: 'done' })
  expect(await memory.receipts.get(receipt.id)).toEqual(receipt)
  expect((await memory.projects.list()).map(({ name }) => name)).toEqual(['zoo'])
  expect(await memory.project('acme').users()).toEqual([])
  expect((await memory.for({ project: 'acme', user: 'ada' }).recall('ferry')).hits).toEqual([])
  expect(withoutVersion(await memory.project('zoo').settings.get())).toEqual({ timeZone: 'Europe/Berlin' })
  expect(await rejection(memory.projects.delete('acme'))).toBeInstanceOf(NotFound)
  const {
    messages: [again],
  } = await memory.for({ project: 'acme', user: 'ada' }).append('talk', line)
  expect(again?.seq).toBe(1)
})

test('settings merge, go back to their default with null, and refuse what they do not know', async () => {
  const { settings } = (await openForTest()).project('acme')
  expect(withoutVersion(await settings.get())).toEqual({})
  expect(withoutVersion(await settings.set({ timeZone: 'Asia/Tokyo' }))).toEqual({ timeZone: 'Asia/Tokyo' })
  expect(withoutVersion(await settings.set({}))).toEqual({ timeZone: 'Asia/Tokyo' })
  for (const flaw of [{ timeZone: 'Mars/Olympus' }, { timeZone: 7 }, { colour: 'red' }, { timeZone: '' }])
    expect(await rejection(settings.set(flaw as never))).toBeInstanceOf(InvalidOption)
  expect(withoutVersion(await settings.set({ timeZone: null }))).toEqual({})
})

test('a project says when notes are due and what their sections are, and nothing that cannot be', async () => {
  const { settings } = (await openForTest()).project('acme')
  const notes = { firstTokens: 500, template: [{ heading: 'Title', guidance: 'In ten words.' }] }
  expect(withoutVersion(await settings.set({ notes }))).toEqual({ notes })
  for (const flaw of [{ firstTokens: 0 }, { toolCalls: -1 }, { growthTokens: Number.NaN }, { template: [] }, { maxTokens: 10 }])
    expect(await rejection(settings.set({ notes: flaw }))).toBeInstanceOf(InvalidOption)
  expect(withoutVersion(await settings.get())).toEqual({ notes })
  expect(withoutVersion(await settings.set({ notes: null }))).toEqual({})
})

// requirement: GIST-15
test('sessions are ensured, named, shared, described, listed newest talk first, and deleted', async () => {
  const clock = new ManualClock()
  const ada = (await openForTest({ clock })).for('ada')
  await ada.append('old', { ...line, at: clock.now() - 2_000 })
  await ada.append('new', [
    { ...line, at: clock.now() - 1_000 },
    { ...line, at: clock.now() - 3_000 },
  ])
  await ada.sessions.ensure('empty', { name: 'Not yet', metadata: { topic: 'ferries' } })
  expect((await ada.sessions.list()).map(({ id }) => id)).toEqual(['empty', 'new', 'old'])
  expect(await ada.sessions.list({ limit: 1 })).toHaveLength(1)
  expect(await ada.sessions.get('new')).toMatchObject({
    messages: 2,
    firstAt: clock.now() - 3_000,
    lastAt: clock.now() - 1_000,
    createdAt: clock.now(),
  })
  expect(await ada.sessions.get('new')).not.toHaveProperty('share')
  expect(await ada.sessions.rename('new', 'Ferry talk')).toMatchObject({ id: 'new', name: 'Ferry talk', messages: 2 })
  expect(await ada.sessions.share('new', true)).toMatchObject({ name: 'Ferry talk', share: true })
  expect(await ada.sessions.ensure('new')).toMatchObject({ name: 'Ferry talk', share: true, messages: 2 })
  for (const name of ['', 7, 'x'.repeat(1_025), '\ud800'])
    expect(await rejection(ada.sessions.rename('new', name as never))).toBeInstanceOf(InvalidOption)
  expect(await rejection(ada.sessions.rename('none', 'x'))).toBeInstanceOf(NotFound)
  expect((await ada.sessions.delete('new')).counts).toEqual({ message: 2, session: 1 })
  expect(await rejection(ada.sessions.get('new'))).toBeInstanceOf(NotFound)
  expect(await rejection(ada.sessions.delete('new'))).toBeInstanceOf(NotFound)
})

// requirement: GIST-16
test('messages are paged back from a seq, newest page first, oldest message first', async () => {
  const ada = (await openForTest()).for('ada')
  await ada.append(
    'talk',
    Array.from({ length: 120 }, (_, place) => ({ ...line, content: `${place + 1}` })),
  )
  expect((await ada.messages('talk')).map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, place) => place + 71))
  const seen: number[] = []
  for (let before: number | undefined; ; before = seen[0]) {
    const page = await ada.messages('talk', { limit: 33, ...(before === undefined ? {} : { before }) })
    if (page.length === 0) break
    seen.unshift(...page.map(({ seq }) => seq))
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, place) => place + 1))
  for (const flaw of [{ limit: 0 }, { limit: 1.5 }, { limit: 10_001 }, { before: 0 }, { before: Number.NaN }])
    expect(await rejection(ada.messages('talk', flaw))).toBeInstanceOf(InvalidOption)
  expect(await ada.messages('no such talk')).toEqual([])
})

test('the doctor finds a new store well, private, and in its place', async () => {
  const store = newStore()
  const memory = await openForTest({ store: `sqlite:${store}` })
  const diagnosis = await memory.doctor()
  expect(diagnosis.ok).toBe(true)
  expect(diagnosis.checks.map(({ name, ok }) => [name, ok])).toEqual(
    ['store', 'sqlite', 'schema', 'integrity', 'privacy', 'content', 'index', 'erasures', 'engine', 'embeddings'].map((name) => [
      name,
      true,
    ]),
  )
  expect(diagnosis.checks[0]?.detail).toContain(store)
  expect(statSync(store).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(store)).mode & 0o777).toBe(0o700)
  expect(await memory.upkeep.status()).toEqual({
    waiting: { sessions: 0 },
    backlog: { erasures: 0, embeddings: 0, ...perLayer(() => 0), edits: 0, notes: 0 },
    provisional: perLayer(() => 0),
    failures: [],
    cost: [],
  })
  expect(await memory.upkeep.run()).toEqual({
    erasures: 0,
    embedded: 0,
    distilled: 0,
    digested: 0,
    documented: 0,
    noted: 0,
    settled: true,
    waiting: { sessions: 0 },
  })
})
