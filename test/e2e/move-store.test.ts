import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { moveStore } from '../../packages/varve/src/memory/moving/move-store.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { differences, everythingOf } from '../fixtures/memory/everything.ts'
import { newStore, rejection } from '../fixtures/memory/open.ts'
import { asked, fillEveryTable, makeStore, newSchema, openMoved, rowsOf, server } from '../fixtures/moving/stores.ts'
const clock = new ManualClock(Date.UTC(2026, 6, 1))
const who = { project: 'pier', user: 'ada' }

const move = (from: string, to: string) => moveStore({ from, to })

describe('from SQLite to SQLite', () => {
  test('all rows are the same', async () => {
    const [from, to] = [newStore(), newStore()]
    await makeStore(from)
    const before = rowsOf(from)
    expect(await move(from, to)).toMatchObject({ from, to, resumedAt: 0, questions: 96, messages: 96 })
    expect(rowsOf(to)).toEqual({ ...before, schema_migration: expect.any(Array) })
    expect(rowsOf(from)).toEqual(before)
  })

  test('a target with rows, the source itself, and a source that somebody has open are refused', async () => {
    const [from, to] = [newStore(), newStore()]
    await makeStore(from)
    await makeStore(to)
    const before = rowsOf(to)
    expect(await rejection(move(from, to))).toMatchObject({ code: 'OPTION_INVALID', option: 'to' })
    expect(await rejection(move(from, from))).toMatchObject({ code: 'OPTION_INVALID', option: 'to' })
    expect(rowsOf(to)).toEqual(before)
    await using _open = await openMoved(from)
    expect(await rejection(move(from, newStore()))).toMatchObject({ code: 'STORE_BUSY', store: from })
  })

  test('a move that was stopped makes every open fail, goes on, and ends the same', async () => {
    const [from, to, other] = [newStore(), newStore(), newStore()]
    await makeStore(from)
    await makeStore(other)
    const stopping = new AbortController()
    let steps = 0
    const onProgress = (): void => {
      steps += 1
      if (steps === 8) stopping.abort()
    }
    expect(await rejection(moveStore({ from, to, signal: stopping.signal, onProgress }))).toMatchObject({ code: 'CANCELLED' })
    expect(await rejection(openMemory({ store: to }))).toMatchObject({
      code: 'STORE_BUSY',
      reason: expect.stringContaining('varve migrate'),
    })
    expect(await rejection(move(other, to))).toMatchObject({ code: 'OPTION_INVALID', expected: expect.stringContaining('another store') })
    const { resumedAt, rows } = await move(from, to)
    expect(resumedAt).toBeGreaterThan(0)
    expect(resumedAt).toBeLessThan(rows)
    expect(rowsOf(to)).toEqual({ ...rowsOf(from), schema_migration: expect.any(Array) })
  })

  test('a source that was changed after a stopped move is refused: rows that came at once, other changes in the end', async () => {
    const [from, to] = [newStore(), newStore()]
    await makeStore(from)
    const stopAt = async (step: number): Promise<void> => {
      const stopping = new AbortController()
      let steps = 0
      const onProgress = (): void => void (steps++ === step && stopping.abort())
      await rejection(moveStore({ from, to, signal: stopping.signal, onProgress }))
    }
    await stopAt(30)
    const connection = new Database(from)
    connection.exec("UPDATE block SET content = 'coffee' WHERE id = 1")
    expect(await rejection(move(from, to))).toMatchObject({
      option: 'to',
      expected: expect.stringContaining('its rows in block are not those'),
    })
    connection.exec('DELETE FROM block_revision')
    connection.close()
    expect(await rejection(move(from, to))).toMatchObject({
      option: 'to',
      expected: expect.stringContaining('its rows in block_revision became 0'),
    })
  })
})

describe.skipIf(server === undefined)('from SQLite to PostgreSQL and back', () => {
  test('all rows of all tables are the same, byte for byte, and all counters go on', async () => {
    const [from, back] = [newStore(), newStore()]
    await makeStore(from)
    fillEveryTable(from)
    const before = rowsOf(from)
    for (const [name, rows] of Object.entries(before)) expect(rows.length, name).toBeGreaterThan(0)
    const schema = newSchema()
    const there = await move(from, schema)
    const here = await move(schema, back)
    expect(here.checksum).toBe(there.checksum)
    const after = rowsOf(back)
    expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted())
    for (const [name, rows] of Object.entries(before)) if (name !== 'schema_migration') expect(after[name], name).toEqual(rows)
    expect(there.questions).toBe(96)
    const sequences = await asked(
      schema,
      'select sequencename as name, last_value as last from pg_sequences where schemaname = current_schema()',
    )
    for (const row of before['sqlite_sequence'] ?? []) {
      const [name, last]: [string, number] = JSON.parse(row)
      // Its numbers begin with those of transactions.
      if (name !== 'journal') expect(sequences).toContainEqual({ name: `${name}_id_seq`, last })
    }
  })

  test('a moved store answers alike, its receipts are valid, and it goes on', async () => {
    const from = newStore()
    await makeStore(from)
    const answered = async (store: string) => {
      await using memory = await openMoved(store)
      const receipts = await Array.fromAsync(memory.receipts.list())
      return {
        told: await everythingOf(memory.for(who), clock),
        receipts,
        mark: await memory.markOf('a content'),
        verified: await Promise.all(receipts.map(({ id }) => memory.receipts.verify(id))),
      }
    }
    const before = await answered(from)
    const schema = newSchema()
    await move(from, schema)
    const after = await answered(schema)
    expect(differences(before.told, after.told)).toEqual([])
    expect({ ...after, told: undefined }).toEqual({ ...before, told: undefined })
    await using memory = await openMoved(schema)
    const { messages } = await memory.for(who).append('talk-1', { role: 'user', content: 'The harbour is green.' })
    expect(messages[0]?.seq).toBe(13)
    await memory.for({ project: 'quay', user: 'new' }).append('first', { role: 'user', content: 'Hello there.' })
    await memory.upkeep.run({ all: true })
    expect((await memory.for(who).recall('green harbour')).hits[0]?.text).toBe('The harbour is green.')
  })

  test('a store goes back in which a user imported what another one exported', async () => {
    const [place, to] = [newSchema(), newStore()]
    {
      await using memory = await openMoved(place)
      const [ada, bo] = [memory.for(who), memory.for({ ...who, user: 'bo' })]
      await ada.append('talk', { role: 'user', content: 'The barge was moved to the north pier.' })
      await ada.distil('talk')
      await ada.blocks.set('habits', 'tea at the harbour')
      await ada.documents.edit('Cats', '- Tuna is a cat')
      await ada.instructions.add('Answer in French.')
      await bo.import((await Array.fromAsync(ada.export())).join(''), { accept: true })
    }
    expect(await move(place, to)).toMatchObject({ messages: 2 })
    await using moved = await openMoved(to)
    for (const user of ['ada', 'bo']) {
      const handle = moved.for({ ...who, user })
      expect(await handle.blocks.list()).toMatchObject([{ text: 'tea at the harbour' }])
      expect(await handle.instructions.list()).toMatchObject([{ text: 'Answer in French.' }])
    }
  })

  test('a target with rows or without its schema, and a source without tables, are told; no password is', async () => {
    const [from, schema] = [newStore(), newSchema()]
    await makeStore(from)
    await (await openMoved(schema)).close()
    // An empty store is as good as none.
    await move(from, schema)
    expect(await rejection(move(from, schema))).toMatchObject({
      code: 'OPTION_INVALID',
      expected: expect.stringContaining('it has rows in'),
    })
    expect(await rejection(move(newSchema(), newStore()))).toMatchObject({ code: 'STORE_FOREIGN' })
    const wrong = new URL(server ?? '')
    wrong.password = 'hunter2'
    wrong.port = '1'
    const error = await rejection(move(from, wrong.toString()))
    expect(error).toMatchObject({ code: 'STORE_UNREACHABLE' })
    expect(String(error)).not.toContain('hunter2')
  })

  test('writers of the source wait while it is moved, and what they wrote before is moved', async () => {
    const [from, schema, back] = [newStore(), newSchema(), newStore()]
    await makeStore(from)
    await move(from, schema)
    const url = new URL(schema)
    url.searchParams.set('varve_timeout_ms', '500')
    await using writer = await openMoved(url.toString())
    const ada = writer.for(who)
    await ada.append('late', { role: 'user', content: 'Before the move.' })
    let tried: Promise<unknown> | undefined
    let read: Promise<unknown> | undefined
    await moveStore({
      ...{ from: schema, to: back },
      onProgress: () => {
        tried ??= rejection(ada.append('late', { role: 'user', content: 'Meanwhile.' }))
        read ??= ada.messages('late')
      },
    })
    expect(await read).toMatchObject([{ content: 'Before the move.' }])
    expect([undefined, 'STORE_FAILED']).toContain(Reflect.get(Object(await tried), 'code'))
    await using moved = await openMoved(back)
    expect((await moved.for(who).messages('late')).map(({ content }) => content)).toEqual(['Before the move.'])
  })
})
