import type { Pool, PoolClient } from 'pg'
import type { PostgresAddress } from './address.ts'
import { loadDriver } from './driver.ts'
import { types } from './types.ts'

/** Idle connections are closed after this time: an instance without work holds none. */
const idleMs = 10_000

/** A connection is not kept longer than this, so that a server behind a new address is found. */
const longestLifeSeconds = 3_600

/** The longest wait for a connection: milliseconds. */
const connectMs = 10_000

/** The client gives up later than the server does, whose error tells more. */
const clientMarginMs = 2_000

/** What is known of a connection, once it was looked at. */
export interface Connected {
  /**
   * True when a pooler may give each transaction another session of the server. Then no statement is prepared by name,
   * and each transaction makes its own settings.
   */
  readonly isPooled: boolean
  /** The settings of Varve's sessions, by name. */
  readonly settings: ReadonlyMap<string, string>
}

/** A pool of connections to a store. */
export interface Connections {
  readonly pool: Pool
  readonly address: PostgresAddress
}

const known = new WeakMap<PoolClient, Connected>()

/** Opens a pool of connections to a store. None is made yet. */
export async function openPool(address: PostgresAddress): Promise<Connections> {
  const { Pool } = await loadDriver()
  const pool = new Pool({
    connectionString: address.url,
    application_name: 'varve',
    max: address.connections,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: connectMs,
    maxLifetimeSeconds: longestLifeSeconds,
    query_timeout: address.timeoutMs + clientMarginMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types,
  })
  // An idle connection that breaks leaves the pool. The next call opens another one, and tells if it cannot.
  pool.on('error', () => undefined)
  return { pool, address }
}

/** Takes a connection from a pool. A new one is looked at first. */
export async function take({ pool, address }: Connections): Promise<PoolClient & Connected> {
  const client = await pool.connect()
  try {
    const connected = known.get(client) ?? (await lookAt(client, address))
    return Object.assign(client, connected)
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** The statement that makes settings, for a transaction or for the whole session. */
export function settingOf(settings: Connected['settings'], lasts: 'transaction' | 'session'): string {
  const calls = [...settings].map(([name, value]) => `set_config('${name}', '${value}', ${lasts === 'transaction'})`)
  return `select ${calls.join(', ')}`
}

/**
 * A pooler such as PgBouncer tells the client a process number of its own making, since the session behind it changes
 * with each transaction.
 */
async function lookAt(client: PoolClient, { schema, timeoutMs }: PostgresAddress): Promise<Connected> {
  const told: unknown = Reflect.get(client, 'processID')
  const { rows } = await client.query<{ pid: number; durability: string }>(
    "select pg_backend_pid() as pid, current_setting('synchronous_commit') as durability",
  )
  const settings = new Map([
    ['statement_timeout', `${timeoutMs}`],
    ['idle_in_transaction_session_timeout', `${timeoutMs}`],
    // Where the server would acknowledge a commit before it is durable.
    ...(rows[0]?.durability === 'off' ? ([['synchronous_commit', 'on']] as const) : []),
    ...(schema === undefined ? [] : ([['search_path', `"${schema}"`]] as const)),
  ])
  const connected = { isPooled: rows[0]?.pid !== told, settings }
  if (!connected.isPooled) await client.query(settingOf(settings, 'session'))
  known.set(client, connected)
  return connected
}
