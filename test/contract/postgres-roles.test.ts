import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { callScope } from '../../packages/varve/src/storage/call-scope.ts'
import { postgresAddress } from '../../packages/varve/src/storage/postgres/address.ts'
import { openPool, take } from '../../packages/varve/src/storage/postgres/connections.ts'
import { hashPartition } from '../../packages/varve/src/storage/postgres/hash-partitions.ts'
import { postgresEngine } from '../../packages/varve/src/storage/postgres/postgres-engine.ts'
import { readMessages } from '../../packages/varve/src/storage/log/messages.ts'
import { savePartition, findPartition } from '../../packages/varve/src/storage/partitions.ts'

const url = process.env['VARVE_TEST_POSTGRES']
const schema = `roles_${randomUUID().slice(0, 8)}`
const script = join(import.meta.dirname, '../../docs/operate/postgres-roles.sql')
const userOf = (user: string) => partitionId(projectName('acme'), { kind: 'user', name: user })
const [ada, bo] = [userOf('ada'), userOf('bo')]

function addressOf(role?: string): string {
  const address = new URL(url ?? '')
  address.searchParams.set('varve_schema', schema)
  if (role !== undefined) address.username = role
  return address.toString()
}

async function asOwner(sql: string): Promise<void> {
  const connections = await openPool(postgresAddress(addressOf()))
  const client = await take(connections)
  await client.query(sql)
  client.release()
  await connections.pool.end()
}

const open = (store: string): Promise<Memory> =>
  openMemory({
    ...{ store, engine: 'inline', upkeep: 'manual', embeddingModel: false, isolation: 'silent' },
    layers: { gists: true, facts: true, bank: true },
  })

describe.skipIf(url === undefined)('under a role that owns no table', () => {
  let memory: Memory

  beforeAll(async () => {
    await (await open(addressOf())).close()
    await asOwner(readFileSync(script, 'utf8'))
    // Twice: after a migration it is run again.
    await asOwner(readFileSync(script, 'utf8'))
    memory = await open(addressOf('varve_app'))
    for (const user of ['ada', 'bo'])
      await memory.for({ project: 'acme', user }).append('talk', { role: 'user', content: `My name is ${user}. I live in Kiel.` })
    await memory.upkeep.run({ all: true })
  })
  afterAll(async () => {
    await memory.close()
    await asOwner(`drop schema ${schema} cascade; drop owned by varve_app`)
  })

  test('a memory is written, distilled, recalled, shared and forgotten', async () => {
    const handle = memory.for({ project: 'acme', user: 'ada' })
    expect((await handle.recall('Kiel')).hits.length).toBeGreaterThan(0)
    expect((await handle.facts.list()).map(({ object }) => object).join()).toContain('Kiel')
    expect((await handle.context({ query: 'Where do I live?', maxTokens: 500 })).text).toContain('Kiel')
    await memory.project('acme').bank.setSharing(true, { acknowledge: true, backfill: true })
    await memory.upkeep.run({ all: true })
    expect((await memory.project('acme').bank.render(500)).text).toContain('Kiel')
    await memory.project('acme').blocks.set('plan', 'Paint the barge.')
    expect((await memory.project('acme').blocks.list()).map(({ name }) => name)).toEqual(['plan'])
    await handle.append('more', { role: 'user', content: 'I sold the barge.' })
    expect((await handle.forget({ session: 'more' })).counts).toMatchObject({ message: 1 })
    expect((await memory.upkeep.status()).failures.filter(({ kind }) => kind !== 'erasure')).toEqual([])
  })

  test('a wrong program that asks for another’s partition gets nothing, and changes nothing', async () => {
    const place = addressOf('varve_app')
    const store = await postgresEngine.open({ place, writes: true, now: 0, identity: { id: 'store', key: 'key' } })
    const asked = (owner: typeof ada) => store.read(() => readMessages(owner, sessionName('talk'), { limit: 10 }))
    const before = await asked(bo)
    expect(before).toHaveLength(1)
    await callScope.run(ada, async () => {
      expect(await asked(ada)).toHaveLength(1)
      expect(await asked(bo)).toEqual([])
      expect(await store.read(() => findPartition(bo))).toBeUndefined()
    })
    const row = await store.read(() => findPartition(bo))
    if (row === undefined) throw new TypeError('the partition is not there')
    await callScope.run(ada, () => store.write(() => savePartition({ ...row, seq: 0 })))
    expect(await store.read(() => findPartition(bo))).toEqual(row)
    await store.close()
  })

  test('a transaction that names no partition sees none', async () => {
    const connections = await openPool(postgresAddress(addressOf('varve_app')))
    const client = await take(connections)
    for (const table of ['partition', 'session', 'message', 'message_terms', 'item', 'assertion'])
      expect((await client.query(`select * from ${table}`)).rows).toEqual([])
    await expect(client.query('create table mine (id int)')).rejects.toMatchObject({ code: '42501' })
    await expect(client.query("update meta set value = ''")).rejects.toMatchObject({ code: '42501' })
    client.release()
    await connections.pool.end()
  })

  test('the parts of a divided table, which have no policy, are closed', async () => {
    await hashPartition(addressOf(), 2)
    // As an earlier script left them.
    await asOwner('grant select on message_0, message_1 to varve_app')
    await asOwner(readFileSync(script, 'utf8'))
    const connections = await openPool(postgresAddress(addressOf('varve_app')))
    const client = await take(connections)
    for (const table of ['message_0', 'message_1', 'item_0'])
      await expect(client.query(`select * from ${table}`)).rejects.toMatchObject({ code: '42501' })
    expect((await client.query('select * from message')).rows).toEqual([])
    client.release()
    await connections.pool.end()
    expect((await memory.for({ project: 'acme', user: 'ada' }).recall('Kiel')).hits.length).toBeGreaterThan(0)
  })
})
