import type { Client, ClientBase, ClientConfig, Pool, PoolClient } from 'pg'
import { StoreUnreachable } from '../../errors/store-unreachable.ts'
import type { PostgresAddress } from './address.ts'
import { loadDriver } from './driver.ts'
import { farSettings } from './far-table.ts'
import { Hosts } from './hosts.ts'
import { types } from './types.ts'

/**
 * An idle connection is kept for so long for each use of the store since its last pause, within bounds. A look for work in a
 * quiet process opens one and leaves none behind.
 */
const idle = { leastMs: 500, msPerUse: 100, mostMs: 10_000 }

/** A connection is not kept longer than this, so that a server behind a new address is found. */
const longestLifeSeconds = 3_600

/** The longest wait for a connection: milliseconds. */
const connectMs = 10_000

/** A connection on which nothing was sent for so long is asked whether it lives: milliseconds. */
const aliveMs = 30_000

/** The client gives up later than the server does, whose error tells more. */
const clientMarginMs = 2_000

/** A session of the server. Numbers of processes are given again: the time at which it began belongs to it. */
export interface ServerSession {
  readonly pid: number
  readonly since: string
}

/** What is known of a connection, once it was looked at. */
export interface Connected {
  /**
   * True when a pooler may give each transaction another session of the server. Then no statement is prepared by name,
   * and each transaction makes its own settings.
   */
  readonly isPooled: boolean
  /** The session behind it; undefined where it changes, or is not told. */
  readonly session: ServerSession | undefined
  /** The settings of Varve's sessions, by name. */
  readonly settings: ReadonlyMap<string, string>
}

/** A pool of connections to a store. */
export interface Connections {
  readonly pool: Pool
  readonly address: PostgresAddress
  readonly hosts: Hosts
  /** Makes a connection beside the pool, which is not open yet. */
  readonly apart: () => Client
}

const known = new WeakMap<PoolClient, Connected>()

/** The uses of a pool since its last pause, and the time of the last one by performance.now. */
interface Use {
  readonly count: number
  readonly last: number
}

const uses = new WeakMap<Pool, Use>()

/** Notes a use of a pool. The pool reads its option when a connection is given back. */
function noteUse(pool: Pool): void {
  const last = performance.now()
  const before = uses.get(pool)
  const count = before === undefined || last - before.last > idle.mostMs ? 1 : before.count + 1
  uses.set(pool, { count, last })
  pool.options.idleTimeoutMillis = Math.min(idle.mostMs, Math.max(idle.leastMs, count * idle.msPerUse))
}

/** Opens a pool of connections to a store. None is made yet. */
export async function openPool(address: PostgresAddress): Promise<Connections> {
  const { Pool, Client } = await loadDriver()
  const hosts = new Hosts(address.urls)
  /** Each connection goes to the server that serves now. */
  class HostClient extends Client {
    constructor(config: ClientConfig = {}) {
      super({ ...config, connectionString: hosts.current })
    }
  }
  const clientMs = address.timeoutMs + Math.min(clientMarginMs, address.timeoutMs)
  const pool = new Pool({
    Client: HostClient,
    application_name: 'varve',
    max: address.connections,
    idleTimeoutMillis: idle.leastMs,
    connectionTimeoutMillis: Math.min(connectMs, clientMs),
    maxLifetimeSeconds: longestLifeSeconds,
    query_timeout: clientMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types,
  })
  // An idle connection that breaks leaves the pool. The next call opens another one, and tells if it cannot.
  pool.on('error', () => undefined)
  // The pool listens to idle ones alone. One that breaks between two steps of a transaction would end the host's process;
  // the next step tells of it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const apart = (): Client =>
    new HostClient({
      ...{ application_name: 'varve listens', keepAlive: true, keepAliveInitialDelayMillis: aliveMs },
      ...{ connectionTimeoutMillis: connectMs, query_timeout: clientMs },
    })
  return { pool, address, hosts, apart }
}

/** Takes a connection from a pool. A new one is looked at first. */
export function take(connections: Connections): Promise<PoolClient & Connected> {
  return connections.hosts.at(() => takeHere(connections))
}

/**
 * Works on a connection and gives it back. After a failure it is closed: an answer may still be on its way, or never come,
 * and whoever took it next would wait for that one.
 */
export async function onConnection<Result>(
  connections: Connections,
  work: (client: PoolClient & Connected) => Promise<Result>,
): Promise<Result> {
  const client = await take(connections)
  let isSound = false
  try {
    const result = await work(client)
    isSound = true
    return result
  } finally {
    client.release(!isSound)
  }
}

async function takeHere({ pool, address, hosts }: Connections): Promise<PoolClient & Connected> {
  noteUse(pool)
  const client = await pool.connect()
  try {
    const connected = known.get(client) ?? (await lookAt(client, address, hosts.count > 1))
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

interface Looked {
  readonly pid: number
  readonly since: string | null
  readonly durability: string
  readonly refuses: string
}

/**
 * A pooler such as PgBouncer tells the client a process number of its own making, since the session behind it changes
 * with each transaction.
 */
export function isElsewhere(client: ClientBase, pid: unknown): boolean {
  return Reflect.get(client, 'processID') !== pid
}

async function lookAt(
  client: PoolClient,
  { schema, timeoutMs, shown, searchesFar }: PostgresAddress,
  isListed: boolean,
): Promise<Connected> {
  const { rows } = await client.query<Looked>(
    `select pg_backend_pid() as pid, current_setting('synchronous_commit') as durability,
      (select backend_start::text from pg_stat_activity where pid = pg_backend_pid()) as since,
      current_setting('transaction_read_only') as refuses`,
  )
  if (isListed && rows[0]?.refuses === 'on') throw new StoreUnreachable({ store: shown, reason: 'no server of the list takes writes' })
  const settings = new Map([
    ['statement_timeout', `${timeoutMs}`],
    ['idle_in_transaction_session_timeout', `${timeoutMs}`],
    // Where the server would acknowledge a commit before it is durable.
    ...(rows[0]?.durability === 'off' ? ([['synchronous_commit', 'on']] as const) : []),
    ...(schema === undefined ? [] : ([['search_path', `"${schema}"`]] as const)),
    ...(searchesFar ? farSettings : []),
  ])
  const { pid, since } = rows[0] ?? { pid: 0, since: null }
  const isPooled = isElsewhere(client, pid)
  const connected = { isPooled, session: isPooled || since === null ? undefined : { pid, since }, settings }
  if (!connected.isPooled) await client.query(settingOf(settings, 'session'))
  known.set(client, connected)
  return connected
}
