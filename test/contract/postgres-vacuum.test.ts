import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connections, openPool, take } from '../../packages/varve/src/storage/postgres/connections.ts'
import { postgresAddress } from '../../packages/varve/src/storage/postgres/address.ts'
import { migratePostgres } from '../../packages/varve/src/storage/postgres/migrate.ts'
import { Vacuum } from '../../packages/varve/src/storage/postgres/vacuum.ts'

const url = process.env['VARVE_TEST_POSTGRES']
const name = `vacuum_${randomUUID().slice(0, 8)}`

function addressOf(user?: string): string {
  const address = new URL(url ?? '')
  address.searchParams.set('varve_schema', name)
  if (user !== undefined) address.username = user
  return address.toString()
}

describe.skipIf(url === undefined)('erased rows leave the tables', () => {
  let connections: Connections
  const sql = async (text: string): Promise<readonly unknown[]> => {
    const client = await take(connections)
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      client.release()
    }
  }
  beforeAll(async () => {
    connections = await openPool(postgresAddress(addressOf()))
    await migratePostgres(connections, { identity: { id: 'store', key: 'key' } })
  })
  afterAll(async () => {
    await sql(`drop schema ${name} cascade`)
    await sql(`drop role if exists ${name}`)
    await connections.pool.end()
  })

  // requirement: P3.14
  test('with a vacuum, but not while a transaction runs that began before', async () => {
    const reader = await take(connections)
    await reader.query('begin isolation level repeatable read; select count(*) from entity')
    const [place] = await sql("insert into entity values (1, 'canary', 'words') returning ctid::text")
    await sql("delete from entity where name_key = 'canary'")
    expect(await new Vacuum(connections).run()).toMatch(/^a transaction that began before the erasure still runs/)
    await reader.query('commit')
    reader.release()
    expect(await new Vacuum(connections).run()).toBeUndefined()
    // The place of a row is given to another only after a vacuum.
    expect(await sql("insert into entity values (1, 'next', 'words') returning ctid::text")).toEqual([place])
  })

  test('one pass follows another after a pause', async () => {
    const vacuum = new Vacuum(connections)
    expect(await vacuum.run()).toBeUndefined()
    expect(await vacuum.run()).toMatch(/^the tables were vacuumed a moment ago/)
  })

  test('a role that does not own the tables says who may', async () => {
    await sql(`create role ${name} login; grant usage on schema ${name} to ${name}`)
    const other = await openPool(postgresAddress(addressOf(name)))
    const vacuum = new Vacuum(other)
    // Also within the pause after a pass: nothing was vacuumed.
    for (const _ of [1, 2]) expect(await vacuum.run()).toMatch(/^this role may not vacuum \d+ of \d+ tables: their owner runs VACUUM$/)
    await other.pool.end()
  })
})
