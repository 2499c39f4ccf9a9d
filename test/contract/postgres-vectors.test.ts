import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { hashPartition } from '../../packages/varve/src/storage/postgres/hash-partitions.ts'
import { postgresTables } from '../../packages/varve/src/storage/postgres/moved-tables.ts'
import { segmentsIn } from '../../packages/varve/src/index/segments.ts'
import { isFarDue } from '../../packages/varve/src/index/far-work.ts'
import { recall } from '../../packages/varve/src/recall/recall.ts'
import { recallRequest } from '../../packages/varve/src/recall/request.ts'
import { partitionId, projectName } from '../../packages/varve/src/scope/partition.ts'
import { postgresAddress } from '../../packages/varve/src/storage/postgres/address.ts'
import { openPool } from '../../packages/varve/src/storage/postgres/connections.ts'
import { searchFar } from '../../packages/varve/src/storage/postgres/far-statements.ts'
import { pgFarVectors } from '../../packages/varve/src/storage/postgres/far-vectors.ts'
import { postgresEngine } from '../../packages/varve/src/storage/postgres/postgres-engine.ts'
import { Vacuum } from '../../packages/varve/src/storage/postgres/vacuum.ts'
import { upkeepReads } from '../../packages/varve/src/upkeep/reads.ts'
import type { Here } from '../../packages/varve/src/storage/here.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import type { OpenStore } from '../../packages/varve/src/storage/store-engine.ts'
import {
  askStore,
  embeddingModel,
  inStore,
  memoryAt,
  newAddress,
  openFar,
  segmentBytes,
  withSearchPath,
  withVectors,
} from '../fixtures/postgres/vectors.ts'

// They run on PGlite always: it has the extension, and the server of the tests does not.

const old = ['I was at the harbour.', 'We mend the jetty in spring.', 'It takes nine planks.']
const [, jetty = ''] = old

const words = 'ferry kiosk soup paper lamp garden train violin cheese window carpet bottle'.split(' ')

/** Talk of other things. With 300 messages of it the oldest do not fit the index. */
const others = Array.from({ length: 300 }, (_, n) =>
  [n, n >> 1, n >> 2, n >> 3, n >> 4].map((place, at) => words[(place * (at + 1)) % words.length]).join(' '),
)

async function say(handle: UserMemory, session: string, texts: readonly string[]): Promise<void> {
  for (let from = 0; from < texts.length; from += 200)
    await handle.append(
      session,
      texts.slice(from, from + 200).map((content) => ({ role: 'user' as const, content })),
    )
}

const userOf = (memory: Memory, user = 'ada'): UserMemory => memory.for({ project: 'acme', user })

/** Makes a store with a partition over the bound and all of its vectors, without the option. */
async function filled(): Promise<string> {
  const address = newAddress()
  const memory = await memoryAt(address)
  await say(userOf(memory), 'first talk', old)
  await say(userOf(memory), 'long talk', others)
  await memory.upkeep.run()
  await memory.close()
  return address
}

/** Opens a store with the option, and copies what there is to copy. */
async function copied(address: string): Promise<Memory> {
  const memory = await openFar(withVectors(address))
  await memory.upkeep.run()
  return memory
}

type Recalled = Awaited<ReturnType<UserMemory['recall']>>

const textsOf = ({ hits }: Pick<Recalled, 'hits'>): string[] => hits.map((hit) => ('text' in hit ? hit.text : ''))

async function count(address: string, sql: string): Promise<number> {
  const [row] = await askStore(address, `select (${sql})::int as count`)
  return Number(row?.['count'])
}

async function openStore(place: string): Promise<OpenStore> {
  const store = await postgresEngine.open({ place, writes: true, now: 0, identity: { id: 'store', key: 'key' } })
  onTestFinished(() => store.close())
  return store
}

async function makerOf(address: string): Promise<{ name: string; dimension: number; quantisation: string }> {
  const [row] = await askStore(address, 'select name, dimension, quantisation from embedding_model')
  return { name: String(row?.['name']), dimension: Number(row?.['dimension']), quantisation: String(row?.['quantisation']) }
}

/** The vector of a text, of length 1. */
async function vectorOf(text: string): Promise<Float32Array> {
  const { embeddings } = await embeddingModel.doEmbed({ values: [text] })
  const [given = []] = embeddings
  return Float32Array.from(given, (component) => component / Math.hypot(...given))
}

/** Runs a program and tells of each of its steps. */
function* counting<Result>(program: Program<Result>, told: () => void): Program<Result> {
  let next = program.next([])
  while (next.done !== true) {
    told()
    next = program.next(yield next.value)
  }
  return next.value
}

/** Works as another role, on the one connection of PGlite. */
async function asRole(address: string, role: string, work: () => Promise<void>): Promise<void> {
  await askStore(address, `set role ${role}`)
  try {
    await work()
  } finally {
    await askStore(address, 'reset role')
  }
}

const vectors = 'select count(*) from far_vector'
const indexes = "select count(*) from pg_indexes where schemaname = current_schema() and indexdef like '%hnsw%'"

test('a server without the extension is refused, and the error says what to run', async () => {
  const address = newAddress()
  await askStore(address, 'drop extension if exists vector cascade')
  await expect(openFar(withVectors(address))).rejects.toThrow(/CREATE EXTENSION vector/)
})

describe('with the extension', () => {
  /** A store that tests read alone. */
  let shared: string

  beforeAll(async () => {
    await askStore(newAddress(), 'create extension if not exists vector schema public')
    shared = await filled()
  })

  test('without the option an old message is not found by meaning, and there is no table', async () => {
    const answer = await userOf(await openFar(shared)).recall('dock')
    expect(textsOf(answer)).not.toContain(jetty)
    expect(answer.degraded).toEqual([expect.stringMatching(/^partial index: the newest \d+ of 303 messages were searched$/)])
    expect(await count(shared, "to_regclass('far_vector') is null")).toBe(1)
  })

  test('switched on it is found once upkeep ran, and the answer says what was searched', async () => {
    const memory = await openFar(withVectors(shared))
    expect((await userOf(memory).recall('dock')).degraded).toEqual([expect.stringMatching(/meaning alone, as far as .* copied$/)])
    await memory.upkeep.run()
    const answer = await userOf(memory).recall('dock')
    expect(textsOf(answer)[0]).toBe(jetty)
    expect(answer.hits[0]?.signals.map(({ name }) => name)).toEqual(expect.arrayContaining(['meaning', 'talk', 'session']))
    expect(answer.degraded).toEqual([
      expect.stringMatching(/^partial index: the newest \d+ of 303 messages were searched, and older ones by meaning alone$/),
    ])
    expect((await userOf(memory).context({ query: 'dock' })).text).toContain(jetty)
    expect(await count(shared, vectors)).toBe(303)
    expect(await count(shared, indexes)).toBe(1)
    const checks = await (await openStore(withVectors(shared))).diagnose(segmentBytes)
    expect(checks.find(({ name }) => name === 'vectors')).toEqual({
      name: 'vectors',
      ok: true,
      detail: expect.stringMatching(/^pgvector 0\.\d+\.\d+, 303 vectors of partitions over the bound, 1 of at most 64 indexes$/),
    })
  })

  test('an old message has about the score that an index of all gives it', async () => {
    const [far, whole] = [await copied(shared), await openFar(shared, { segmentBytes: 64 * 1024 * 1024 })]
    for (const question of ['dock', 'Do we mend the dock in spring?', 'How many planks does the dock take?']) {
      const [some, all] = [await userOf(far).recall(question, { limit: 3 }), await userOf(whole).recall(question, { limit: 3 })]
      expect(all.degraded).toEqual([])
      expect(textsOf(some)).toEqual(textsOf(all))
      // Words weigh by the messages in memory alone, so the scores differ in the second digit.
      for (const [place, { score }] of all.hits.entries()) expect(some.hits[place]?.score).toBeCloseTo(score, 1)
    }
  })

  test('a filter by session and time holds for old messages', async () => {
    const ada = userOf(await copied(shared))
    expect(textsOf(await ada.recall('dock', { session: 'first talk' }))[0]).toBe(jetty)
    expect(textsOf(await ada.recall('dock', { session: 'long talk' }))).not.toContain(jetty)
    expect(textsOf(await ada.recall('dock', { excludeSession: 'first talk' }))).not.toContain(jetty)
    expect(textsOf(await ada.recall('dock', { to: new Date(Date.UTC(2020, 0, 1)) }))).toEqual([])
  })

  test('what another user says, has copied and forgets changes no bit of an answer', async () => {
    const memory = await copied(shared)
    const answers = async (): Promise<Recalled[]> =>
      Promise.all(['dock', 'the jetty', 'soup'].map((question) => userOf(memory).recall(question, { limit: 20 })))
    const before = await answers()
    const bo = userOf(memory, 'bo')
    await say(bo, 'first talk', ['The dock is on fire.', 'Mend the dock.', 'My dock, your dock.'])
    await say(bo, 'long talk', others)
    await memory.upkeep.run()
    expect(await count(shared, indexes)).toBe(2)
    expect(textsOf(await bo.recall('jetty'))[0]).toMatch(/dock/)
    expect(await answers()).toEqual(before)
    await bo.forget({ all: true })
    expect(await answers()).toEqual(before)
    expect(await count(shared, vectors)).toBe(303)
    await memory.upkeep.run()
    expect(await count(shared, indexes)).toBe(1)
    expect(await answers()).toEqual(before)
  })

  test('what is forgotten is gone from the table with the same commit, and from every answer', async () => {
    const address = await filled()
    const memory = await copied(address)
    const [hit] = (await userOf(memory).recall('dock')).hits
    await userOf(memory).forget({ messages: [hit?.id ?? ''] })
    expect(textsOf(await userOf(memory).recall('dock'))).not.toContain(jetty)
    expect(await count(address, `${vectors} where ord = 2`)).toBe(0)
    expect(await count(address, vectors)).toBe(302)
    // A store that is opened without the option erases as well.
    await memory.close()
    await userOf(await openFar(address)).forget({ session: 'first talk' })
    expect(await count(address, vectors)).toBe(300)
  })

  test('on tables in hash partitions the vectors are copied, found and erased', async () => {
    const address = await filled()
    await (await copied(address)).close()
    await withSearchPath(address, () => hashPartition(address, 2))
    expect(await count(address, vectors)).toBe(303)
    const memory = await copied(address)
    expect(textsOf(await userOf(memory).recall('dock'))[0]).toBe(jetty)
    await userOf(memory).forget({ session: 'first talk' })
    expect(await count(address, vectors)).toBe(300)
    await say(userOf(memory), 'long talk', old)
    await memory.upkeep.run()
    expect(await count(address, vectors)).toBe(303)
  })

  test('row-level security covers the table, and a store whose roles do not is refused', async () => {
    const address = await filled()
    const roles = readFileSync(join(import.meta.dirname, '../../docs/operate/postgres-roles.sql'), 'utf8')
    await askStore(address, roles)
    await asRole(address, 'varve_app', async () => {
      await expect(openFar(withVectors(address))).rejects.toThrow(/may not make; open the store once as the owner/)
    })
    await expect(openFar(withVectors(address))).rejects.toThrow(/postgres-roles.sql/)
    await askStore(address, roles)
    await copied(address)
    const seenBy = (user: string): string => `set local role varve_app; select set_config('varve.scope', 'partition', true),
      set_config('varve.project', 'acme', true), set_config('varve.owner_kind', '0', true), set_config('varve.owner', '${user}', true);
      ${vectors}`
    expect(await askStore(address, seenBy('ada'))).toEqual([{ count: 303 }])
    expect(await askStore(address, seenBy('bo'))).toEqual([{ count: 0 }])
    // The role that owns nothing searches, copies and erases.
    await asRole(address, 'varve_app', async () => {
      const checks = await (await openStore(withVectors(address))).diagnose(segmentBytes)
      expect(checks.find(({ name }) => name === 'vectors')).toMatchObject({ ok: false, fix: expect.stringContaining('varve upkeep') })
      const memory = await openFar(withVectors(address))
      expect(textsOf(await userOf(memory).recall('dock'))[0]).toBe(jetty)
      await say(userOf(memory), 'long talk', ['One more.'])
      await memory.upkeep.run()
      expect((await userOf(memory).recall('dock')).degraded).toEqual([expect.stringMatching(/meaning alone$/)])
      await userOf(memory).forget({ session: 'first talk' })
    })
    expect(await count(address, vectors)).toBe(301)
  })

  test('a search walks the index of its partition, whatever the server knows of the tables', async () => {
    await copied(shared)
    const vector = `[${[...(await vectorOf('dock'))].join(',')}]`
    const [{ partition, embedding } = {}] = await askStore(shared, 'select partition_id as partition, id as embedding from embedding')
    const times = { from: 0, to: Date.UTC(2030, 0, 1), excludeSince: 0 }
    const given: Readonly<Record<string, unknown>> = { partition, embedding, upTo: 150, vector, session: 1, excludeSession: null, ...times }
    for (const isFiltered of [false, true]) {
      const { sql, order } = searchFar('public', 256, isFiltered).compiled.postgres ?? { sql: '', order: [] }
      const plan = await inStore(shared, async (client) => {
        await client.query('analyze; set local enable_sort = off')
        const { rows } = await client.query<Record<string, string>>(
          `explain ${sql}`,
          order.map((name) => given[String(name)]),
        )
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      expect(plan).toMatch(new RegExp(`Index Scan using far_vector_${String(partition)}_${String(embedding)} on far_vector`))
      // The rest is looked up by keys: it costs the same in a partition of any size.
      expect(plan).not.toMatch(/Hash Join|Merge Join|Join Filter/)
    }
  })

  test('a vacuum for erasures takes the table as well', async () => {
    const address = await filled()
    const memory = await copied(address)
    await userOf(memory).forget({ session: 'first talk' })
    await memory.close()
    const connections = await openPool(postgresAddress(address))
    await new Vacuum(connections).run()
    await connections.pool.end()
    const vacuumed = "select count(*) from pg_stat_all_tables where schemaname = current_schema() and relname = 'far_vector'"
    expect(await count(address, `${vacuumed} and vacuum_count > 0 and n_dead_tup = 0`)).toBe(1)
  })

  test('a recall takes as many round trips as without the option', async () => {
    await copied(shared)
    const question = 'Do we mend the dock in spring, with soup?'
    const [off, on] = [await openStore(shared), await openStore(withVectors(shared))]
    const steps = async (store: OpenStore): Promise<{ count: number; texts: string[] }> => {
      const segments = segmentsIn({ keep: (_, make) => make(), segmentBytes, far: store.far })
      const asked = { maker: await makerOf(shared), vector: await vectorOf(question) }
      const ask = () =>
        recall(segments, partitionId(projectName('acme'), { kind: 'user', name: 'ada' }), recallRequest({ query: question }, 0), asked)
      await store.read(ask)
      let count = 0
      const answer = await store.read(() => counting(ask(), () => void (count += 1)))
      return { count, texts: textsOf(answer) }
    }
    const [without, found] = [await steps(off), await steps(on)]
    expect(found.texts).toContain(jetty)
    expect(without.texts).not.toContain(jetty)
    expect(found.count).toBe(without.count)
  })

  test('a role that does not own the table makes no index, and fills those that are there', async () => {
    const address = await filled()
    const [maker, store] = [await makerOf(address), await openStore(withVectors(address))]
    const far = pgFarVectors({ extension: 'public', mayMake: false })
    const isDue = () => store.read(() => isFarDue({ far, segmentBytes }, maker))
    expect(await isDue()).toBe(false)
    expect(await store.read(() => isFarDue({ far: store.far, segmentBytes }, maker))).toBe(true)
    // A process without other work finds it by its look for work.
    const here = {
      now: 0,
      key: '',
      segmentBytes,
      far: store.far,
      read: () => Promise.reject(new Error('not read')),
      keep: (_, make) => make(),
    } satisfies Here
    const look = { layers: 0, canAsk: false, lacking: false, since: 0, embedding: { maker, holder: 'this', outdatedAfterMs: 1e12 } }
    expect(await store.read(() => upkeepReads.dueWork(here, look))).toMatchObject({ embeddings: true })
    expect(await store.read(() => upkeepReads.dueWork({ ...here, far: undefined }, look))).toMatchObject({ embeddings: false })
    const memory = await copied(address)
    expect(await isDue()).toBe(false)
    await say(userOf(memory), 'long talk', ['One more.'])
    await memory.close()
    await (await openFar(address)).upkeep.run()
    expect(await isDue()).toBe(true)
    // A partition under the bound has no index and no copy.
    expect(await store.read(() => isFarDue({ far: store.far, segmentBytes: 2 ** 30 }, maker))).toBe(false)
  })

  test('a move leaves the table out', async () => {
    await copied(shared)
    const tables = await inStore(shared, (client) => postgresTables({ client }))
    expect(tables.map(({ name }) => name)).toContain('message_vector')
    expect(tables.map(({ name }) => name)).not.toContain('far_vector')
  })
})
