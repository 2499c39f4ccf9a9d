import { createHash } from 'node:crypto'
import pRetry from 'p-retry'
import type { PoolClient } from 'pg'
import { SchemaTooNew } from '../../errors/schema-too-new.ts'
import { StoreDamaged } from '../../errors/store-damaged.ts'
import { StoreForeign } from '../../errors/store-foreign.ts'
import { movingKey } from '../moving.ts'
import type { PostgresAddress } from './address.ts'
import { sqlStateOf, isConflict } from './classify.ts'
import { type Connections, take } from './connections.ts'
import { type PostgresMigration, postgresMigrations, postgresSchemaVersion } from './migrations/all.ts'

const bookkeeping = `
CREATE TABLE IF NOT EXISTS meta (key text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL);
CREATE TABLE IF NOT EXISTS schema_migration (
  version bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, checksum text COLLATE "C" NOT NULL, applied_at bigint NOT NULL
);
`

const insertVersion = `
INSERT INTO schema_migration (version, name, checksum, applied_at)
  VALUES ($1, $2, $3, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
`

/** Processes that start at once meet at the row of the same version: one goes on, the others look again when it has ended. */
const attempts = { retries: 60, minTimeout: 20, maxTimeout: 1_000, factor: 1.5, randomize: true }

/** A table or an index of this name is there already: another program's. */
const isThere = /^42P0[67]$/

export interface MigrationOptions {
  /** The id of a new store, and the key of its fences. */
  readonly identity: { readonly id: string; readonly key: string }
}

/** The identity of a store that is open. */
export interface StoreIdentity {
  readonly id: string
  readonly key: string
  /** True while another store is being moved into it. */
  readonly isUnfinished: boolean
}

/**
 * Brings a store to the newest schema in one transaction, and returns whose it is. Where nothing is to be done, only
 * reads: a role without the right to make tables opens a store that another one made.
 */
export function migratePostgres(connections: Connections, options: MigrationOptions): Promise<StoreIdentity> {
  return pRetry(
    async () => {
      const client = await take(connections)
      try {
        return (await standingIdentity(client, connections.address)) ?? (await bringUp(client, connections.address, options))
      } finally {
        client.release()
      }
    },
    { ...attempts, shouldRetry: ({ error }) => isConflict(error) },
  )
}

/** Returns the identity of a store with the newest schema; undefined for an older store, or none. */
export async function standingIdentity(client: PoolClient, address: PostgresAddress): Promise<StoreIdentity | undefined> {
  return inTransaction(client, 'begin read only', address, async () => {
    const { rows } = await client.query<{ there: number }>(
      "select (to_regclass('schema_migration') is not null and to_regclass('meta') is not null)::int as there",
    )
    if (rows[0]?.there !== 1 || (await versionOf(client, address)) < postgresSchemaVersion) return undefined
    await verify(client, address)
    return identityOf(client)
  })
}

async function bringUp(client: PoolClient, address: PostgresAddress, { identity }: MigrationOptions): Promise<StoreIdentity> {
  const { schema, shown } = address
  if (schema !== undefined) await client.query(`create schema if not exists "${schema}"`)
  return inTransaction(client, 'begin', address, async () => {
    await client.query(bookkeeping)
    const found = await versionOf(client, address)
    const insertMeta = 'insert into meta (key, value) values ($1, $2) on conflict do nothing'
    await client.query(insertMeta, ['store_id', identity.id])
    await client.query(insertMeta, ['store_key', identity.key])
    for (const migration of postgresMigrations.filter(({ version }) => version > found)) {
      // The row first: a process that migrates at the same time waits here, and loses cleanly.
      await client.query(insertVersion, [migration.version, migration.name, checksum(migration)])
      await apply(client, migration, shown)
    }
    await verify(client, address)
    return identityOf(client)
  })
}

async function apply(client: PoolClient, { sql }: PostgresMigration, store: string): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    if (!isThere.test(sqlStateOf(error))) throw error
    throw new StoreForeign(
      { store, reason: 'its schema has tables of another program; name another one with varve_schema' },
      { cause: error },
    )
  }
}

async function versionOf(client: PoolClient, { shown }: PostgresAddress): Promise<number> {
  const { rows } = await client.query<{ version: number }>('select coalesce(max(version), 0)::bigint as version from schema_migration')
  const found = rows[0]?.version ?? 0
  if (found > postgresSchemaVersion) throw new SchemaTooNew({ store: shown, found, supported: postgresSchemaVersion })
  return found
}

async function verify(client: PoolClient, { shown }: PostgresAddress): Promise<void> {
  const { rows } = await client.query<{ version: number; checksum: string }>('select version, checksum from schema_migration')
  for (const migration of postgresMigrations) {
    if (rows.find(({ version }) => version === migration.version)?.checksum !== checksum(migration))
      throw new StoreDamaged({ store: shown, reason: `migration ${migration.version} is not the one of this Varve` })
  }
}

async function identityOf(client: PoolClient): Promise<StoreIdentity> {
  const { rows } = await client.query<{ key: string; value: string }>('select key, value from meta')
  const valueOf = (name: string): string => rows.find(({ key }) => key === name)?.value ?? ''
  return { id: valueOf('store_id'), key: valueOf('store_key'), isUnfinished: rows.some(({ key }) => key === movingKey) }
}

async function inTransaction<Result>(
  client: PoolClient,
  begin: string,
  { schema }: PostgresAddress,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(schema === undefined ? begin : `${begin}; set local search_path = "${schema}"`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

function checksum({ sql }: PostgresMigration): string {
  return createHash('sha256').update(sql).digest('hex')
}
