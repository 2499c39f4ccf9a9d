import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { compile } from '../../packages/varve/src/storage/compile-statement.ts'
import { itemsAt } from '../../packages/varve/src/storage/derived/items.ts'
import { forget } from '../../packages/varve/src/storage/erase/erasure.ts'
import { appendMessages } from '../../packages/varve/src/storage/log/append.ts'
import { messagesAt, readMessages } from '../../packages/varve/src/storage/log/messages.ts'
import { ensureDerivedOf, ensureKnownOf, findPartition } from '../../packages/varve/src/storage/partitions.ts'
import { distributedTables } from '../../packages/varve/src/storage/postgres/distributed-tables.ts'
import { hashPartition } from '../../packages/varve/src/storage/postgres/hash-partitions.ts'
import type { SingleStep } from '../../packages/varve/src/storage/program.ts'
import { codesAfter } from '../../packages/varve/src/storage/segment/vectors.ts'
import { termsAfter } from '../../packages/varve/src/storage/segment/terms.ts'
import { queries } from '../../packages/varve/src/storage/statement.ts'
import { storeContract } from '../../packages/varve/src/testing/index.ts'
import { append, asPrepared, monday, prepared, talkSession, userOf } from '../../packages/varve/src/testing/store/check.ts'
import { newStore, noting, type PartsOfPlan, partsIn, partsOf, type PartsUnderTest, storesInParts } from './postgres-parts.ts'

const url = process.env['VARVE_TEST_POSTGRES'] ?? ''
const parts = 64
/** The contract's own: each of its 117 checks empties every part, and 8 hold several partitions in one, and apart, as 64 do. */
const contractParts = process.env['VARVE_RUNS'] === 'full' ? parts : 8
const ada = userOf('default', 'ada')

/** The query that each of them has: by the table in whose parts it looks for those of all partitions. */
const lookThrough = [
  ...[
    'partition',
    'session',
    'page',
    'page_fact',
    'embedding',
    'message_vector',
    'deed',
    'context_record',
    'part',
    'import',
    'journal',
    'item',
  ],
]

/** Returns an argument of a type, the same for each name: a plan is made for values. */
function argumentOf(type: string, name: string, known: Map<string, number>): string {
  if (type === 'text' || type === 'json') return "'[]'"
  if (type === 'bytea') return "'\\x00'"
  if (type === 'bigint[]') return "'{1}'"
  if (/^(?:upTo|to|before|until|last)$/.test(name)) return '1000'
  const value = known.get(name) ?? 7 + known.size
  known.set(name, value)
  return String(value)
}

const overOne = (plan: PartsOfPlan): string[] => [...plan].filter(([, opened]) => opened.size > 2).map(([table]) => table)

describe.skipIf(url === '')(`PostgreSQL keeps the store contract with its tables in ${contractParts} parts`, () => {
  const stores = storesInParts(url, contractParts)
  afterAll(() => stores.end())
  const { checks, absent } = storeContract(stores)
  test.each(checks)('$name', ({ run }) => run())
  test('in all of its parts', () => expect(absent).toEqual([]))
})

describe.skipIf(url === '')('tables in 64 parts', () => {
  let store: PartsUnderTest

  beforeAll(async () => {
    store = await newStore(url)
    await hashPartition(store.place, parts)
  })
  afterAll(() => store.end())

  test('every query opens the parts of the partitions that it names, but for those that look through all', async () => {
    const folder = join(import.meta.dirname, '../../packages/varve/src/storage')
    for (const name of globSync('**/*.ts', { cwd: folder }))
      if (!/^(?:sqlite|postgres)\//.test(name) && !name.endsWith('.test.ts')) await import(join(folder, name))
    await store.client.query('set plan_cache_mode = force_custom_plan')
    const all: string[] = []
    for (const [place, query] of queries.entries()) {
      const { sql, order } = compile(query, 'postgres')
      await store.client.query(`prepare q${place} as ${sql}`)
      const { rows } = await store.client.query<{ types: string }>(
        "select array_to_string(parameter_types, ',') as types from pg_prepared_statements where name = $1",
        [`q${place}`],
      )
      const known = new Map<string, number>()
      const given = (rows[0]?.types || undefined)?.split(',').map((type, at) => {
        const slot = order[at]
        return typeof slot === 'string' ? argumentOf(type, slot, known) : argumentOf(type, `constant ${at}`, known)
      })
      const plan = await store.client.query<{ 'QUERY PLAN': string }>(
        `explain execute q${place}${given === undefined ? '' : `(${given.join(', ')})`}`,
      )
      const over = overOne(partsIn(plan.rows.map((row) => row['QUERY PLAN']).join('\n')))
      if (over.length > 0) all.push(sql)
    }
    expect(queries.length).toBeGreaterThan(500)
    // The same as storage/partition-first.test.ts names by their texts.
    expect(all.length).toBeLessThanOrEqual(40)
    expect(all.filter((sql) => !lookThrough.some((table) => new RegExp(`(?:from|update) "?${table}"?`).test(sql)))).toEqual([])
  })

  test('what an append, a recall’s loads, a page of messages and a forget ask opens one part of a table for each partition', async () => {
    const opened = await store.open()
    const noted: Record<string, SingleStep[]> = { append: [], recall: [], page: [], forget: [] }
    await append(opened, ada, talkSession, ['one', 'two'])
    await opened.write(() =>
      noting(appendMessages(ada, talkSession, asPrepared([prepared('three', { externalId: 'm3' })]), monday), noted['append'] ?? []),
    )
    const owner = await opened.read(() => findPartition(ada))
    const id = owner?.id ?? 0
    const derived = await opened.write(() => ensureDerivedOf(id, monday))
    await opened.write(() => ensureKnownOf(id, monday))
    await opened.read(() => noting(messagesAt(id, [1, 2]), noted['recall'] ?? []))
    await opened.read(() => noting(itemsAt(derived.id, [1], id), noted['recall'] ?? []))
    await opened.read(() => noting(termsAfter(id, 0, 100), noted['recall'] ?? []))
    await opened.read(() => noting(codesAfter({ id: 1, partition_id: id }, 0, 100), noted['recall'] ?? []))
    await opened.read(() => noting(readMessages(ada, talkSession, { limit: 10 }), noted['page'] ?? []))
    await opened.write(() => noting(forget(ada, { session: talkSession }, uuidv7(monday), monday), noted['forget'] ?? []))
    await opened.close()
    for (const [what, steps] of Object.entries(noted)) {
      let most = 0
      for (const step of steps) {
        const lists = Object.values(step.params).flatMap((value) =>
          /^\{[\d,]+\}$/.test(String(value)) ? [String(value).split(',').length] : [],
        )
        const named = Math.max(1, ...lists)
        for (const [table, found] of await partsOf(store.client, step)) {
          expect(found.size, `${what}: ${table}`).toBeLessThanOrEqual(named)
          most = Math.max(most, found.size)
        }
      }
      expect(steps.length, what).toBeGreaterThan(what === 'page' ? 2 : 3)
      expect(most, what).toBeGreaterThan(0)
      console.log(`${what}: ${steps.length} queries, at most ${most} of ${parts} parts of a table`)
    }
  })

  test('30,000 partitions are rows: planning takes as long, and as many locks', async () => {
    const { client } = store
    const measured = async (): Promise<{ planningMs: number; locks: number }> => {
      const times: number[] = []
      const sql = 'select * from message where session_id = 7 and partition_id = 7 and seq < 100 order by seq desc limit 20'
      for (let round = 0; round < 20; round += 1) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (summary) ${sql}`)
        times.push(Number(/Planning Time: ([\d.]+)/.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))?.[1]))
      }
      await client.query('begin')
      await client.query(sql)
      await client.query('select * from session where partition_id = 7 and external_id = $1', ['talk'])
      const { rows } = await client.query<{ locks: number }>('select count(*)::int as locks from pg_locks where pid = pg_backend_pid()')
      await client.query('commit')
      return { planningMs: Math.min(...times), locks: rows[0]?.locks ?? 0 }
    }
    const before = await measured()
    await client.query(`
      insert into project (id, name, settings, created_at) values (100, 'crowd', '{}', 0);
      insert into partition (id, project_id, owner_kind, owner, seq, epoch, messages, term_bytes, created_at)
        select n, 100, 0, 'u' || n, 1, 0, 1, 0, 0 from generate_series(1000, 30999) as n;
      insert into session
          (id, partition_id, external_id, share, language, language_votes, seq, epoch, messages, created_at, last_recorded_at)
        select n, n, 'talk', 2, '', '{}', 1, 0, 1, 0, 0 from generate_series(1000, 30999) as n;
      insert into message (partition_id, ord, session_id, seq, uuid, said_at, recorded_at, tokens, role, origin, content)
        select n, 1, n, 1, int8send(n), 0, 0, 1, 'user', 'person', 'word' from generate_series(1000, 30999) as n;
      analyze session; analyze message`)
    const after = await measured()
    console.log(
      `planning ${before.planningMs} ms and ${before.locks} locks; with 30,000 partitions ${after.planningMs} ms and ${after.locks} locks`,
    )
    expect(after.locks).toBe(before.locks)
    expect(after.planningMs).toBeLessThan(5 * before.planningMs + 1)
  })

  test('a store that is in parts already is refused', async () => {
    await expect(hashPartition(store.place, parts)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    await expect(hashPartition(store.place, 8)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    await expect(hashPartition(store.place, 1)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
  })
})

describe.skipIf(url === '')('a store that is put into parts', () => {
  test('has the same rows, keys and indexes; while others use a table it is refused, and the next call goes on', async () => {
    const { place, client, open, end } = await newStore(url)
    const opened = await open()
    await append(opened, ada, talkSession, ['one', 'two', 'three'])
    const looked = async () => {
      const { rows } = await client.query<{ name: string; columns: string }>(
        `select c.relname as name, string_agg(pg_get_indexdef(i.indexrelid, k, true), ',' order by k) as columns
          from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid,
            generate_series(1, i.indnkeyatts) as k
          where t.relnamespace = current_schema()::regnamespace and t.relname = any($1) group by c.relname order by c.relname collate "C"`,
        [distributedTables],
      )
      return rows
    }
    const before = await looked()
    await client.query('begin; lock table message in row exclusive mode')
    const told: string[] = []
    await expect(hashPartition(place, 4, { lockWaitMs: 100, told: (table) => told.push(table) })).rejects.toMatchObject({
      code: 'STORE_BUSY',
    })
    expect(told).toEqual(['session'])
    await client.query('commit')
    await expect(hashPartition(place, 8)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    expect((await hashPartition(place, 4)).divided).toEqual(distributedTables.filter((table) => table !== 'session'))
    expect(await looked()).toEqual(before)
    expect(before.length).toBeGreaterThan(60)
    await append(opened, ada, talkSession, ['four'])
    expect((await opened.read(() => readMessages(ada, talkSession, { limit: 10 }))).map(({ content }) => content)).toEqual([
      'one',
      'two',
      'three',
      'four',
    ])
    await opened.close()
    await end()
  })
})
