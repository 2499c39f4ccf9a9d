import { randomUUID } from 'node:crypto'
import { postgresAddress } from '../../packages/varve/src/storage/postgres/address.ts'
import { openPool, take } from '../../packages/varve/src/storage/postgres/connections.ts'
import { compile } from '../../packages/varve/src/storage/compile-statement.ts'
import { distributedTables, wholeTables } from '../../packages/varve/src/storage/postgres/distributed-tables.ts'
import { hashPartition } from '../../packages/varve/src/storage/postgres/hash-partitions.ts'
import { postgresEngine } from '../../packages/varve/src/storage/postgres/postgres-engine.ts'
import type { Program, SingleStep } from '../../packages/varve/src/storage/program.ts'
import { bind } from '../../packages/varve/src/storage/statement.ts'
import type { StoreInitializer, StoreUnderTest } from '../../packages/varve/src/testing/index.ts'

/** A connection that looks at a store. */
type Client = Awaited<ReturnType<typeof take>>

/** A store in a schema of its own, and a connection that looks at it. */
export interface PartsUnderTest {
  readonly place: string
  readonly client: Client
  open(): Promise<StoreUnderTest>
  end(): Promise<void>
}

/** Makes a store, and a connection to its schema. */
export async function newStore(url: string): Promise<PartsUnderTest> {
  const schema = `parts_${randomUUID().slice(0, 8)}`
  const address = new URL(url)
  address.searchParams.set('varve_schema', schema)
  const place = address.toString()
  const open = async (): Promise<StoreUnderTest> => {
    const store = await postgresEngine.open({ place, writes: true, now: 0, identity: { id: 'store', key: 'key' } })
    return {
      write: (program) => store.write(program).catch((error: unknown) => Promise.reject(postgresEngine.classify(error, place, 'write'))),
      read: (program) => store.read(program),
      close: () => store.close(),
    }
  }
  await (await open()).close()
  const connections = await openPool({ ...postgresAddress(place), connections: 1 })
  const client = await take(connections)
  const end = async (): Promise<void> => {
    client.release()
    await connections.pool.end()
  }
  return { place, client, open, end }
}

/** Tables of the store's own state: they stay as they are when a store is emptied. */
const ofStore = new Set(['meta', 'schema_migration'])

/** Empties a store as if it were new: making its parts takes seconds. */
async function empty(client: Client): Promise<void> {
  const whole = Object.keys(wholeTables).filter((name) => !ofStore.has(name))
  const { rows } = await client.query<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = current_schema() and sequencename ~ '_id_seq$'",
  )
  const deleted = [...distributedTables, ...whole].map((name) => `delete from "${name}"`)
  await client.query([...deleted, ...rows.map(({ name }) => `alter sequence "${name}" restart`)].join('; '))
}

/** Makes stores for the contract suite whose tables have so many parts: one store, emptied for each place. */
export function storesInParts(url: string, parts: number): StoreInitializer & { end(): Promise<void> } {
  let made: Promise<PartsUnderTest> | undefined
  let current = ''
  const make = async (): Promise<PartsUnderTest> => {
    const store = await newStore(url)
    await hashPartition(store.place, parts)
    return store
  }
  return {
    durable: true,
    open: async (name) => {
      const store = await (made ??= make())
      if (name !== current) await empty(store.client)
      current = name
      return store.open()
    },
    end: async () => (await made)?.end(),
  }
}

/** Runs a program, and notes its queries with their arguments. */
export function* noting<Result>(program: Program<Result>, into: SingleStep[]): Program<Result> {
  let next = program.next([])
  while (next.done !== true) {
    into.push(...('list' in next.value ? next.value.list : [next.value]))
    next = program.next(yield next.value)
  }
  return next.value
}

/** A part of a distributed table in a plan: `message_12`. */
const partName = new RegExp(`\\b(?:on|Update on|Delete on) (${distributedTables.join('|')})_(\\d+)\\b`, 'g')

/** The parts of each table that a plan opens. */
export type PartsOfPlan = ReadonlyMap<string, ReadonlySet<string>>

/** Plans a query with its arguments, as it is run. */
export async function partsOf(client: Client, step: Pick<SingleStep, 'query' | 'params'>): Promise<PartsOfPlan> {
  const compiled = compile(step.query, 'postgres')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text: `explain ${compiled.sql}`, values: bind(compiled, step.params) })
  return partsIn(rows.map((row) => row['QUERY PLAN']).join('\n'))
}

export function partsIn(plan: string): PartsOfPlan {
  const found = new Map<string, Set<string>>()
  for (const [, table = '', part = ''] of plan.matchAll(partName)) found.set(table, (found.get(table) ?? new Set()).add(part))
  return found
}
