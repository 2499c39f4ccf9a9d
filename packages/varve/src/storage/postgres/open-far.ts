import pRetry from 'p-retry'
import type { PoolClient } from 'pg'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import type { FarVectors } from '../segment/far-vectors.ts'
import { isConflict, sqlStateOf } from './classify.ts'
import { type Connections, take } from './connections.ts'
import { farTableSql } from './far-statements.ts'
import { farTable } from './far-table.ts'
import { pgFarVectors } from './far-vectors.ts'

/** The first version of pgvector that goes on until enough candidates pass a filter. */
const leastVersion = [0, 8] as const

/** Processes that make the table at once. One gets it, the others find it. */
const attempts = { retries: 5, minTimeout: 20, maxTimeout: 200, randomize: true }

/** What PostgreSQL answers to a role that may not make a table. */
const notAllowed = '42501'

interface Extension {
  readonly version: string
  readonly schema: string
}

interface TableRights {
  readonly isOwn: number
  readonly isGuarded: number
  readonly mayUse: number
}

/** Looks for the extension and makes the table where there is none. InvalidConfiguration tells what to run. */
export async function openFarVectors(connections: Connections, guardsRows: boolean): Promise<FarVectors> {
  const client = await take(connections)
  try {
    const { schema: extension, version } = await extensionOn(client)
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < leastVersion[0] || (major === leastVersion[0] && minor < leastVersion[1]))
      throw refusal(`needs vector ${leastVersion.join('.')}, and the database has ${version}; run there: ALTER EXTENSION vector UPDATE`)
    await pRetry(() => makeTable(client, connections, extension), { ...attempts, shouldRetry: ({ error }) => isConflict(error) })
    const { isOwn, isGuarded, mayUse } = await rightsOn(client, connections)
    if (mayUse === 0 || (guardsRows && isGuarded === 0))
      throw refusal(
        `has the table ${farTable}, which the roles of this database do not cover yet; run postgres-roles.sql again as the owner`,
      )
    return pgFarVectors({ extension, mayMake: isOwn === 1 })
  } finally {
    client.release()
  }
}

function refusal(reason: string): InvalidConfiguration {
  return new InvalidConfiguration({ setting: 'store', reason: `varve_vectors=pgvector ${reason}` })
}

async function extensionOn(client: PoolClient): Promise<Extension> {
  const { rows } = await client.query<Extension>(
    `select e.extversion as version, quote_ident(n.nspname) as schema
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`,
  )
  const [found] = rows
  if (found === undefined)
    throw refusal('needs the extension vector, which this database does not have; run there: CREATE EXTENSION vector')
  return found
}

/** Makes the table. Where it stands nothing is made, so that a role without that right opens the store. */
async function makeTable(client: PoolClient, { address }: Connections, extension: string): Promise<void> {
  if ((await rightsIn(client, placeOf(address))).length > 0) return
  await client.query(address.schema === undefined ? 'begin' : `begin; set local search_path = "${address.schema}"`)
  try {
    await client.query(farTableSql(extension))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if (sqlStateOf(error) !== notAllowed) throw error
    throw refusal(`needs the table ${farTable}, which this role may not make; open the store once as the owner of its tables`)
  }
}

async function rightsOn(client: PoolClient, { address }: Connections): Promise<TableRights> {
  const [rights] = await rightsIn(client, placeOf(address))
  if (rights === undefined) throw refusal(`lost its table ${farTable} while the store was opened`)
  return rights
}

function placeOf({ schema }: Connections['address']): string {
  return schema === undefined ? farTable : `"${schema}".${farTable}`
}

async function rightsIn(client: PoolClient, place: string): Promise<readonly TableRights[]> {
  const { rows } = await client.query<TableRights>(
    `select pg_has_role(relowner, 'usage')::int as "isOwn", relrowsecurity::int as "isGuarded",
      (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert') and has_table_privilege(oid, 'delete'))::int as "mayUse"
      from pg_class where oid = to_regclass($1)`,
    [place],
  )
  return rows
}
