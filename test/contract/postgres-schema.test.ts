import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { postgresAddress } from '../../packages/varve/src/storage/postgres/address.ts'
import { openPool, take } from '../../packages/varve/src/storage/postgres/connections.ts'
import { migratePostgres } from '../../packages/varve/src/storage/postgres/migrate.ts'
import { postgresSchemaVersion } from '../../packages/varve/src/storage/postgres/migrations/all.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { schemaVersion } from '../../packages/varve/src/storage/sqlite/migrations/all.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'

interface Column {
  readonly tab: string
  readonly name: string
  readonly type: string
  readonly required: number
}

const url = process.env['VARVE_TEST_POSTGRES']
const identity = { id: 'store', key: 'key' }
const typeOf: Readonly<Record<string, string>> = { INTEGER: 'bigint', TEXT: 'text', BLOB: 'bytea', REAL: 'double precision' }

/** SQLite’s columns, with PostgreSQL’s names of their types. */
function columnsOfSqlite(): string[] {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity })
  const rows = connection
    .prepare<[], Column>(`
      SELECT t.name AS tab, c.name AS name, c.type AS type, (c."notnull" OR c.pk > 0) AS required
      FROM pragma_table_list t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'`)
    .all()
  connection.close()
  return rows.map(({ tab, name, type, required }) => `${tab}.${name} ${typeOf[type]} ${required}`).toSorted()
}

async function columnsOfPostgres(): Promise<string[]> {
  const address = new URL(url ?? '')
  const schema = `schema_${randomUUID().slice(0, 8)}`
  address.searchParams.set('varve_schema', schema)
  const connections = await openPool(postgresAddress(address.toString()))
  await migratePostgres(connections, { identity })
  const client = await take(connections)
  const { rows } = await client.query<Column>(
    `select table_name as tab, column_name as name, data_type as type, (is_nullable = 'NO')::int as required
     from information_schema.columns where table_schema = $1`,
    [schema],
  )
  await client.query(`drop schema ${schema} cascade`)
  client.release()
  await connections.pool.end()
  return rows.map(({ tab, name, type, required }) => `${tab}.${name} ${type} ${required}`).toSorted()
}

test('both engines know the same version of the schema', () => {
  expect(postgresSchemaVersion).toBe(schemaVersion)
})

test.skipIf(url === undefined)('PostgreSQL has every column of SQLite, and no other but the partition of a row', async () => {
  const [sqlite, postgres] = [columnsOfSqlite(), await columnsOfPostgres()]
  expect(sqlite.filter((column) => !postgres.includes(column))).toEqual([])
  const others = postgres.filter((column) => !sqlite.includes(column))
  expect(others.filter((column) => !/\.(?:partition_id|home_id) bigint /.test(column))).toEqual([])
})
