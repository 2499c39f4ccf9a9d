import { StoreBusy } from '../../errors/store-busy.ts'
import { StoreForeign } from '../../errors/store-foreign.ts'
import { movingKey, type MovingSide, type MovingSource, unfinishedMove } from '../moving.ts'
import { type PostgresAddress, postgresAddress } from './address.ts'
import { classifyPostgres, sqlStateOf } from './classify.ts'
import { openPool } from './connections.ts'
import { migratePostgres, type MigrationOptions } from './migrate.ts'
import { postgresSchemaVersion } from './migrations/all.ts'
import { type CountedTable, postgresTables } from './moved-tables.ts'
import { MovingConnection } from './moving-connection.ts'
import { unfinishedPostgres } from './postgres-engine.ts'

/** A lock that was not given in time. */
const notGiven = '55P03'

/**
 * Holds a store as long as it is moved: one transaction has locked all tables against writers, and reads one state of
 * them. Others read meanwhile. A writer waits, and its time-out tells it. When this process dies, so does the lock.
 *
 * @throws StoreBusy while a transaction that writes does not end.
 */
export async function holdPostgres(place: string, { identity }: Pick<MigrationOptions, 'identity'>): Promise<MovingSource> {
  const address = postgresAddress(place)
  const connection = await MovingConnection.open(address)
  try {
    await refuseNothing(connection, address)
    await bringUp(address, identity)
    const { client } = connection
    const tables = await connection.transaction('read only', () => postgresTables(connection))
    await connection.begin('isolation level repeatable read')
    // Before the first query: from then on the transaction sees one state.
    await client.query(`lock table ${[...tables.map(({ name }) => `"${name}"`), 'meta'].join(', ')} in share mode`)
    const held = sourceOn(connection, address, tables)
    if ((await held.meta()).has(movingKey)) throw new StoreBusy({ store: address.shown, reason: unfinishedMove })
    return held
  } catch (error) {
    await connection.close()
    if (sqlStateOf(error) !== notGiven) throw classifyPostgres(error, place, 'move')
    throw new StoreBusy({ store: address.shown, reason: 'processes write to it. End them first' }, { cause: error })
  }
}

/** A store that is not there is not made here. */
async function refuseNothing(connection: MovingConnection, { shown }: PostgresAddress): Promise<void> {
  const isThere = await connection.transaction('read only', () => connection.value("select to_regclass('schema_migration') is not null"))
  if (isThere !== 1) throw new StoreForeign({ store: shown, reason: 'its schema has no tables of Varve' })
}

/** Migrates an older store, and makes a new one. */
export async function bringUp(address: PostgresAddress, identity: MigrationOptions['identity']): Promise<void> {
  const connections = await openPool({ ...address, connections: 1 })
  try {
    await migratePostgres(connections, { identity })
  } finally {
    await connections.pool.end()
  }
}

function sourceOn(connection: MovingConnection, address: PostgresAddress, tables: readonly CountedTable[]): MovingSource {
  return {
    ...postgresSide(connection, address, tables),
    rows: (table, from) => connection.rows(table, from),
    meta: async () => {
      const { rows } = await connection.client.query<{ key: string; value: string }>('select key, value from meta')
      return new Map(rows.map(({ key, value }) => [key, value]))
    },
    counters: async () => {
      const counters = new Map<string, number>()
      for (const { name, counter } of tables)
        if (counter !== undefined)
          counters.set(name, Number(await connection.value(`select case when is_called then last_value else 0 end from ${counter}`)))
      return counters
    },
  }
}

/** What a source and a target have in common. */
export function postgresSide(
  connection: MovingConnection,
  { shown }: PostgresAddress,
  tables: readonly CountedTable[],
): Omit<MovingSide, 'rows'> {
  return {
    shown,
    schemaVersion: postgresSchemaVersion,
    tables,
    programs: unfinishedPostgres,
    count: (table) => connection.count(table),
    release: () => connection.close(),
  }
}
