import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { PostgresAddress } from './address.ts'
import { classifyPostgres } from './classify.ts'
import { type Connections, take } from './connections.ts'
import { farTable } from './far-table.ts'
import { tablesOfStore } from './migrations/all.ts'

/** The least pause between two passes over the tables, and the pause as a multiple of the last pass's time. */
const leastPauseMs = 60_000
const pausePerPass = 10

/** The longest wait for transactions that began before the erasures, and the pause between two looks: milliseconds. */
const longestWaitMs = 2_000
const lookEveryMs = 50

/** A table, and whether this role may vacuum it. */
interface Table {
  readonly name: string
  readonly isOwn: number
}

/**
 * Takes deleted rows out of the tables. A deleted row stays in its page until a vacuum, and longer while a transaction
 * runs that began before. Afterwards no index leads to it and its place is free; the page is written over as it fills.
 */
export class Vacuum {
  readonly #connections: Connections
  #notBefore = Number.NEGATIVE_INFINITY
  /** The reason why the last pass left rows; undefined when it left none. */
  #left: string | undefined

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Vacuums all tables. Returns the reason when erased rows may be left. */
  async run(): Promise<string | undefined> {
    if (performance.now() < this.#notBefore)
      return this.#left ?? 'the tables were vacuumed a moment ago; the next pass takes the rows deleted since'
    const began = performance.now()
    try {
      this.#left = await this.#pass()
      return this.#left
    } catch (error) {
      this.#left = classifyPostgres(error, this.#connections.address.urls[0], 'erasure').message
      return this.#left
    } finally {
      const now = performance.now()
      this.#notBefore = now + Math.max(leastPauseMs, pausePerPass * (now - began))
    }
  }

  async #pass(): Promise<string | undefined> {
    const { address } = this.#connections
    const client = await take(this.#connections)
    try {
      const tables = await tablesIn(client, address)
      const foreign = tables.filter(({ isOwn }) => isOwn === 0)
      if (foreign.length > 0) return `this role may not vacuum ${foreign.length} of ${tables.length} tables: their owner runs VACUUM`
      if (!(await isPassed(client))) return 'a transaction that began before the erasure still runs, and may read the deleted rows'
      // A pass over large tables takes longer than a statement may.
      if (!client.isPooled) await client.query('set statement_timeout = 0')
      for (const { name } of tables) await client.query(`vacuum (index_cleanup on, skip_locked off) ${qualified(address, name)}`)
      return undefined
    } finally {
      // Its time-out is no longer that of the others.
      client.release(!client.isPooled)
    }
  }
}

async function tablesIn(client: PoolClient, { schema }: PostgresAddress): Promise<readonly Table[]> {
  const sql = `
    select c.relname as name, (pg_has_role(c.relowner, 'usage'))::int as "isOwn"
    from pg_class c
    where c.relnamespace = coalesce(to_regnamespace($1), current_schema()::regnamespace) and c.relkind in ('r', 'p') and c.relname = any($2)
    order by c.relname`
  const { rows } = await client.query<Table>(sql, [schema ?? '', [...tablesOfStore, farTable]])
  return rows
}

/** Waits until every transaction that ran at the call has ended. */
async function isPassed(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::xid::text as next')
  const older = `
    select count(*)::int as count from pg_stat_activity
    where pid <> pg_backend_pid() and backend_xmin is not null and age(backend_xmin) > age($1::text::xid)`
  for (const until = performance.now() + longestWaitMs; ;) {
    const { rows: found } = await client.query<{ count: number }>(older, [rows[0]?.next])
    if ((found[0]?.count ?? 0) === 0) return true
    if (performance.now() > until) return false
    await pause(lookEveryMs)
  }
}

function qualified({ schema }: PostgresAddress, table: string): string {
  return schema === undefined ? `"${table}"` : `"${schema}"."${table}"`
}
