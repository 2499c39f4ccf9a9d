import { InvalidOption } from '../../errors/invalid-option.ts'
import { StoreBusy } from '../../errors/store-busy.ts'
import { type LastNumbers, movingKey, type MovingTarget, type RowBatch, type MovedTable } from '../moving.ts'
import { type PostgresAddress, postgresAddress } from './address.ts'
import { classifyPostgres } from './classify.ts'
import type { MigrationOptions } from './migrate.ts'
import { bringUp, postgresSide } from './move-source.ts'
import { type CountedTable, postgresTables } from './moved-tables.ts'
import { MovingConnection } from './moving-connection.ts'

/** The transactions of one target. */
interface Means {
  readonly connection: MovingConnection
  readonly address: PostgresAddress
  readonly tables: readonly CountedTable[]
}

/**
 * Takes a schema as the target of a move: one without tables, an empty store, or one with an unfinished move. From the
 * mark on, nobody else opens it.
 */
export async function takePostgresTarget(place: string, { identity }: Pick<MigrationOptions, 'identity'>): Promise<MovingTarget> {
  const address = postgresAddress(place)
  const connection = await MovingConnection.open(address)
  try {
    const isThere = await connection.transaction('read only', () => connection.value("select to_regclass('schema_migration') is not null"))
    if (isThere === 1) await refuseFull({ connection, address, tables: await connection.transaction('', () => postgresTables(connection)) })
    await bringUp(address, identity)
    const tables = await connection.transaction('', () => postgresTables(connection))
    return targetOn({ connection, address, tables })
  } catch (error) {
    await connection.close()
    throw classifyPostgres(error, place, 'move')
  }
}

/** Refuses a store that has rows of its own, before it is changed. */
async function refuseFull({ connection, address, tables }: Means): Promise<void> {
  await connection.transaction('read only', async () => {
    if ((await markOf(connection)) !== undefined) return
    for (const { name } of tables)
      if ((await connection.value(`select 1 from "${name}" limit 1`)) !== undefined)
        throw new InvalidOption({
          option: 'to',
          received: address.shown,
          expected: `an empty store, or a schema without one: it has rows in ${name}`,
        })
  })
}

async function markOf(connection: MovingConnection): Promise<string | undefined> {
  const mark = await connection.value('select value from meta where key = $1', [movingKey])
  return mark === undefined ? undefined : String(mark)
}

function targetOn(means: Means): MovingTarget {
  const { connection, address, tables } = means
  return {
    ...postgresSide(connection, address, tables),
    count: (table) => connection.transaction('read only', () => connection.count(table)),
    async *rows(table, from) {
      await connection.begin('read only')
      yield* connection.rows(table, from)
      await connection.client.query('commit')
    },
    mark: () => connection.transaction('read only', () => markOf(connection)),
    begin: (meta, mark) => begin(means, meta, mark),
    store: (table, rows, mark) => store(means, table, rows, mark),
    settle: async () => {
      for (const { name } of tables) await connection.transaction('', () => connection.client.query(`analyze "${name}"`))
    },
    end: (counters, mark) => end(means, counters, mark),
  }
}

/** Two moves into one store meet at the row of the mark: one of them gets it. */
async function begin({ connection, address }: Means, meta: ReadonlyMap<string, string>, mark: string): Promise<void> {
  const { client } = connection
  await connection.transaction('', async () => {
    await client.query('delete from meta where key <> $1', [movingKey])
    for (const [key, value] of meta) await client.query('insert into meta (key, value) values ($1, $2)', [key, value])
    const { rowCount } = await client.query('insert into meta (key, value) values ($1, $2) on conflict do nothing', [movingKey, mark])
    if (rowCount !== 1) throw isOthers(address)
  })
}

/** A commit need not be durable: a crash of the server takes the last batches together with the marks that name them. */
async function store(
  { connection, address }: Means,
  table: MovedTable,
  rows: RowBatch,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  const { client } = connection
  await connection.transaction('', async () => {
    await client.query('set local synchronous_commit = off')
    const { rowCount } = await client.query('update meta set value = $3 where key = $1 and value = $2', [movingKey, before, after])
    if (rowCount !== 1) throw isOthers(address)
    await connection.copyIn(table, rows)
  })
}

async function end({ connection, address, tables }: Means, counters: LastNumbers, mark: string): Promise<void> {
  const { client } = connection
  await connection.transaction('', async () => {
    for (const { name, counter } of tables) {
      if (counter === undefined) continue
      const last = counters.get(name) ?? 0
      await client.query('select setval($1::regclass, $2, $3)', [counter, Math.max(last, 1), last > 0])
    }
    const { rowCount } = await client.query('delete from meta where key = $1 and value = $2', [movingKey, mark])
    if (rowCount !== 1) throw isOthers(address)
    await client.query('set local synchronous_commit = on')
  })
}

function isOthers({ shown }: PostgresAddress): StoreBusy {
  return new StoreBusy({ store: shown, reason: 'another move writes to it' })
}
