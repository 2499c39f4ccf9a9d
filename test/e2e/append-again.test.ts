import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { IdempotencyReused, InvalidOption, type Memory, type MessageInput, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { fewRuns } from '../../packages/varve/src/testing/runs.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { OtherProcess } from './other-process.ts'

const line = (content: string, id?: string): MessageInput => ({ role: 'user', content, ...(id === undefined ? {} : { id }) })
const key = { idempotencyKey: 'request-1' }

describe('an append that is sent again under its key', () => {
  test('stores nothing, and gives the same answer, duplicates and skipped messages included', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1))
    const ada = (await openForTest({ clock })).for('ada')
    await ada.append('talk', line('zero', 'a'))
    const batch = [line('zero', 'a'), { role: 'assistant', content: '' } as const, line('one'), line('two', 'b')]
    const first = await ada.append('talk', batch, key)
    // A message without a time gets another one at the second call.
    clock.advance(60_000)
    expect(await ada.append('talk', batch, key)).toEqual(first)
    expect(first.messages.map(({ duplicate }) => duplicate)).toEqual([true, false, false])
    expect((await ada.messages('talk')).map(({ content }) => content)).toEqual(['zero', 'one', 'two'])
    const { place } = await ada.changes()
    await ada.append('talk', batch, key)
    expect((await ada.changes({ after: place })).changes).toEqual([])
  })

  test('is refused with other messages, in another session or with another time, and stores nothing', async () => {
    const ada = (await openForTest()).for('ada')
    const at = Date.UTC(2026, 0, 1)
    await ada.append('talk', { ...line('one'), at }, key)
    for (const again of [
      () => ada.append('talk', { ...line('walnut'), at }, key),
      () => ada.append('talk', [{ ...line('one'), at }, line('two')], key),
      () => ada.append('other', { ...line('one'), at }, key),
      () => ada.append('talk', { ...line('one'), at: at + 1 }, key),
    ]) {
      const error = await rejection(again())
      expect(error).toBeInstanceOf(IdempotencyReused)
      expect(String(error)).not.toMatch(/walnut|request-1/)
    }
    expect(await ada.messages('talk')).toHaveLength(1)
    expect(await ada.messages('other')).toEqual([])
  })

  test('is known for 24 hours, and of each user by itself', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1))
    const memory = await openForTest({ clock })
    const [ada, bo] = [memory.for('ada'), memory.for('bo')]
    await ada.append('talk', line('one'), key)
    await bo.append('talk', line('two'), key)
    clock.advance(24 * 3_600_000)
    await ada.append('talk', line('one'), key)
    expect(await ada.messages('talk')).toHaveLength(1)
    clock.advance(1)
    await ada.append('talk', line('three'), key)
    expect((await ada.messages('talk')).map(({ content }) => content)).toEqual(['one', 'three'])
    expect((await bo.messages('talk')).map(({ content }) => content)).toEqual(['two'])
  })

  test('names messages that were forgotten since by their places, and gives a replaced one with its id', async () => {
    const ada = (await openForTest()).for('ada')
    const batch = [{ role: 'assistant', content: '' } as const, line('one'), line('two', 'b'), line('three')]
    const { messages } = await ada.append('talk', batch, key)
    const [one, two, three] = messages.map(({ id }) => id)
    await ada.forget({ messages: [one ?? '', two ?? ''] })
    await ada.replace(three ?? '', 'four')
    expect(await ada.append('talk', batch, key)).toEqual({
      messages: [{ id: three, seq: 3, duplicate: false }],
      duplicates: [],
      skipped: [{ index: 0, reason: expect.any(String) }],
      forgotten: ['b'],
      forgottenSince: [1, 2],
    })
    expect((await ada.messages('talk')).map(({ content }) => content)).toEqual(['four'])
  })

  test('is stored once by two processes and by many calls at once', async () => {
    const store = newStore()
    const memory = await openForTest({ store })
    const other = await OtherProcess.start(store)
    const ada = memory.for({ project: 'pier', user: 'ada' })
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => ada.append('talk', [line('one'), line('two')], key)),
      other.tell({ do: 'call', project: 'pier', user: 'ada', path: ['append'], args: ['talk', [line('one'), line('two')], key] }),
    ])
    expect(await ada.messages('talk')).toHaveLength(2)
    const ids = (await ada.messages('talk')).map(({ id }) => id)
    for (const answer of answers.slice(0, 20)) expect(answer).toMatchObject({ messages: ids.map((id) => ({ id })) })
    expect(JSON.stringify(answers[20])).toContain(ids[0])
  })

  test('goes on in a long batch where the first call ended', async () => {
    const store = newStore()
    const memory = await openForTest({ store })
    const ada = memory.for('ada')
    const batch = Array.from({ length: 2_500 }, (_, at) => line(`line ${at}`))
    const first = await ada.append('talk', batch, key)
    const file = new Database(store)
    // As a process leaves it that ends after its first part.
    const seqs = Array.from({ length: 1_000 }, (_, at) => at + 1)
    file.prepare('UPDATE append_key SET ords = ?').run(JSON.stringify(seqs))
    file.close()
    const again = await ada.append('talk', batch, key)
    expect(again.messages).toHaveLength(2_500)
    expect(again.messages.slice(0, 1_000)).toEqual(first.messages.slice(0, 1_000))
    expect(again.messages.slice(1_000).map(({ seq }) => seq)).toEqual(Array.from({ length: 1_500 }, (_, at) => 2_501 + at))
    expect(await ada.append('talk', batch, key)).toEqual(again)
  })

  test('stores each message once when the process of the first call is killed between its parts', async () => {
    const store = newStore()
    const memory = await openForTest({ store })
    const ada = memory.for({ project: 'pier', user: 'ada' })
    const other = await OtherProcess.start(store)
    const batch = Array.from({ length: 10_000 }, (_, at) => line(`line ${at}`))
    const { place } = await ada.changes()
    const cut = rejection(other.tell({ do: 'call', project: 'pier', user: 'ada', path: ['append'], args: ['talk', batch, key] }))
    await vi.waitFor(async () => expect((await ada.changes({ after: place })).changes).not.toEqual([]), { timeout: 20_000, interval: 1 })
    await other.kill()
    expect(await cut).toBeInstanceOf(Error)
    const stored = (await ada.changes({ after: place })).changes.length
    const { messages } = await ada.append('talk', batch, key)
    expect(stored).toBeLessThanOrEqual(10)
    expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 10_000 }, (_, at) => at + 1))
    const said = await ada.messages('talk', { limit: 10_000 })
    expect(said.map(({ content }) => content)).toEqual(batch.map(({ content }) => content))
  })

  const forgets: Readonly<Record<string, (ada: UserMemory, memory: Memory) => Promise<unknown>>> = {
    'its session': (ada) => ada.forget({ session: 'talk' }),
    'its session and all that was said before': (ada) => ada.forget({ before: Date.UTC(2100, 0, 1) }),
    'its user': (ada) => ada.forget({ all: true }),
    'its project': (_, memory) => memory.projects.delete('pier'),
  }

  test.each(Object.keys(forgets))('does not come back when %s was forgotten, also after a restart', async (what) => {
    const store = newStore()
    const clock = new ManualClock(Date.UTC(2026, 0, 1))
    const options = { store, clock }
    const batch = [line('The vault opens with 4711.'), line('two', 'b')]
    const before = await openForTest(options)
    const ada = before.for({ project: 'pier', user: 'ada' })
    await ada.append('talk', batch, key)
    await forgets[what]?.(ada, before)
    await before.close()
    const memory = await openForTest(options)
    const again = memory.for({ project: 'pier', user: 'ada' })
    for (let sent = 0; sent < 2; sent += 1)
      expect(await again.append('talk', batch, key)).toEqual({
        ...{ messages: [], duplicates: [], skipped: [], forgotten: ['b'], forgottenSince: [0, 1] },
      })
    expect(await again.messages('talk')).toEqual([])
    expect(await memory.doctor()).not.toContainEqual(expect.objectContaining({ ok: false }))
    // Others, other keys and later days are not held up.
    const same = memory.for({ project: 'pier', user: 'bo' })
    expect((await same.append('talk', batch, key)).messages).toHaveLength(2)
    expect((await again.append('talk', line('new'), { idempotencyKey: 'request-2' })).messages).toHaveLength(1)
    clock.advance(24 * 3_600_000 + 1)
    expect((await again.append('talk', line('The vault opens with 4711.'), key)).messages).toHaveLength(1)
  })

  test('of which a part was stored does not go on after its session was forgotten', async () => {
    const store = newStore()
    const ada = (await openForTest({ store })).for('ada')
    const batch = Array.from({ length: 1_500 }, (_, at) => line(`line ${at}`))
    await ada.append('talk', batch, key)
    const file = new Database(store)
    // As a process leaves it that ends after its first part.
    file.prepare('UPDATE append_key SET ords = ?').run(JSON.stringify(Array.from({ length: 1_000 }, (_, at) => at + 1)))
    file.close()
    await ada.sessions.delete('talk')
    const { messages, forgottenSince } = await ada.append('talk', batch, key)
    expect([messages.length, forgottenSince?.length]).toEqual([0, 1_500])
    expect(await ada.messages('talk')).toEqual([])
    // What the batch said is not known any more; its length is.
    expect(await rejection(ada.append('talk', line('one'), key))).toBeInstanceOf(IdempotencyReused)
  })

  test('ends when its session is forgotten between its parts', async () => {
    const ada = (await openForTest({ store: newStore() })).for('ada')
    const { place } = await ada.changes()
    const appended = ada.append(
      'talk',
      Array.from({ length: 10_000 }, (_, at) => line(`line ${at}`)),
      key,
    )
    await vi.waitFor(async () => expect((await ada.changes({ after: place })).changes).not.toEqual([]), { timeout: 20_000, interval: 1 })
    await ada.forget({ session: 'talk' })
    const { messages, forgottenSince = [] } = await appended
    expect([0, 10_000]).toContain(messages.length)
    expect(messages.length + forgottenSince.length).toBe(10_000)
    expect(await ada.messages('talk')).toEqual([])
  })

  test('is not brought back by whom it overtakes: two processes, one that forgets', async () => {
    const store = newStore()
    const ada = (await openForTest({ store })).for({ project: 'pier', user: 'ada' })
    const other = await OtherProcess.start(store)
    await ada.append('talk', line('one'), key)
    await other.call(['forget'], { all: true })
    const answers = await Promise.all([ada.append('talk', line('one'), key), other.call(['append'], 'talk', line('one'), key)])
    for (const answer of answers) expect(answer).toMatchObject({ messages: [], forgottenSince: [0] })
    expect(await ada.messages('talk')).toEqual([])
  })

  test('keeps nothing of its words when its session or its user is forgotten, and nothing at all after a day', async () => {
    const store = newStore()
    const clock = new ManualClock(Date.UTC(2026, 0, 1))
    const memory = await openForTest({ store, clock })
    const ada = memory.for('ada')
    await ada.append('one', line('one'), { idempotencyKey: 'a' })
    await ada.append('two', line('two'), { idempotencyKey: 'b' })
    const file = new Database(store, { readonly: true })
    const rows = () => file.prepare('SELECT length(request) AS hash, session_id AS session FROM append_key ORDER BY 1').all()
    await ada.sessions.delete('one')
    expect(rows()).toEqual([
      { hash: 0, session: 0 },
      { hash: 32, session: expect.any(Number) },
    ])
    await ada.forget({ all: true })
    expect(rows()).toEqual(Array.from({ length: 2 }, () => ({ hash: 0, session: 0 })))
    clock.advance(24 * 3_600_000 + 1)
    await ada.append('three', line('three'), { idempotencyKey: 'c' })
    expect(rows()).toEqual([{ hash: 32, session: expect.any(Number) }])
    file.close()
  })

  test('refuses a key that is empty, too long or no text', async () => {
    const ada = (await openForTest()).for('ada')
    for (const idempotencyKey of ['', 'x'.repeat(256), JSON.parse('7')])
      expect(await rejection(ada.append('talk', line('one'), { idempotencyKey }))).toBeInstanceOf(InvalidOption)
    await ada.append('talk', line('one'), { idempotencyKey: 'é'.repeat(255) })
  })

  test('stores each message once, however its calls are mixed', async () => {
    const memory = await openForTest()
    const sent = fc.record({ batch: fc.nat(4), at: fc.constantFrom('together', 'after') })
    let users = 0
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 20 }), async (calls) => {
        const ada = memory.for(`user ${(users += 1)}`)
        const waiting: Promise<unknown>[] = []
        for (const { batch, at } of calls) {
          const content = Array.from({ length: batch + 1 }, (_, place) => line(`batch ${batch} line ${place}`))
          const call = ada.append(`talk ${batch % 2}`, content, { idempotencyKey: `key ${batch}` })
          waiting.push(call)
          if (at === 'after') await call
        }
        await Promise.all(waiting)
        const stored = [...(await ada.messages('talk 0')), ...(await ada.messages('talk 1'))].map(({ content }) => content)
        const wanted = [...new Set(calls.map(({ batch }) => batch))].flatMap((batch) =>
          Array.from({ length: batch + 1 }, (_, place) => `batch ${batch} line ${place}`),
        )
        expect(stored.toSorted()).toEqual(wanted.toSorted())
      }),
      { numRuns: fewRuns(60) },
    )
  })
})
