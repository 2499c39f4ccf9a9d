import pRetry from 'p-retry'
import type { Pool, PoolClient } from 'pg'
import { StoreUnreachable } from '../../errors/store-unreachable.ts'
import type { Patience } from '../patience.ts'
import type { Program } from '../program.ts'
import type { PostgresAddress } from './address.ts'
import { endsConnection, isConflict } from './classify.ts'
import { type Connected, take } from './connections.ts'
import { executeOn } from './execute.ts'
import { commitOutcome } from './outcome.ts'

/** Attempts after the first one. Conflicts end soon: of the transactions that meet, one gets on each time. */
const attempts: Readonly<Record<Patience, number>> = { full: 40, brief: 3 }

/** The first pause between two attempts, and the longest: milliseconds. Together some 15 seconds: a server may start meanwhile. */
const pauses = { first: 5, longest: 500 }

/** Attempts after a connection was lost, while the server cannot be reached. */
const attemptsWithoutServer: Readonly<Record<Patience, number>> = { full: 8, brief: 0 }

/** The parts of transactions that are the same in all of a store. */
export interface Terms {
  readonly pool: Pool
  readonly address: PostgresAddress
  /** True when the server's default would acknowledge before a commit is durable. */
  readonly isHasty: boolean
  /** True when the server tells whether a transaction was committed. */
  readonly tellsOutcomes: boolean
}

/** Runs a program that only reads, on one state of the store. A program that began is not begun again. */
export async function readIn<Result>(terms: Terms, program: () => Program<Result>): Promise<Result> {
  const client = await take(terms.pool)
  let error: unknown
  try {
    const begun = client.query(beginning(terms, 'isolation level repeatable read, read only'))
    const result = await executeOn(client, program(), begun)
    // The answer does not wait for the end of a transaction that changed nothing.
    finish(client, client.query('commit'))
    return result
  } catch (failure) {
    error = failure
    finish(client, endsConnection(error) ? Promise.reject(error) : client.query('rollback'))
    throw error
  }
}

/**
 * Runs programs one after the other in one transaction, and begins anew when another transaction changed the same rows.
 * Resolves when it is durable.
 */
export function writeIn(terms: Terms, programs: readonly (() => Program<void>)[], patience: Patience): Promise<void> {
  let lost = 0
  return pRetry(() => writeOnce(terms, programs), {
    retries: attempts[patience],
    minTimeout: pauses.first,
    maxTimeout: pauses.longest,
    factor: 1.5,
    randomize: true,
    shouldRetry: ({ error }) => {
      if (isConflict(error)) return true
      if (!endsConnection(error) || (error instanceof StoreUnreachable && error.mayBeStored)) return false
      lost += 1
      return lost <= attemptsWithoutServer[patience]
    },
  })
}

async function writeOnce(terms: Terms, programs: readonly (() => Program<void>)[]): Promise<void> {
  const client = await take(terms.pool)
  let transaction: string | undefined
  try {
    const begun = begin(terms, client).then((id) => {
      transaction = id
    })
    let waits: Promise<unknown> = begun
    for (const program of programs) {
      await executeOn(client, program(), waits)
      waits = Promise.resolve()
    }
    const isWhole = await commit(terms, client, transaction)
    client.release(!isWhole)
  } catch (error) {
    finish(client, endsConnection(error) ? Promise.reject(error) : client.query('rollback'))
    throw error
  }
}

/** Begins a transaction; returns its number where the server tells one. */
async function begin(terms: Terms, client: PoolClient & Connected): Promise<string | undefined> {
  const begun = client.query(beginning(terms, 'isolation level repeatable read'))
  if (!terms.tellsOutcomes) {
    await begun
    return undefined
  }
  const [, { rows }] = await Promise.all([begun, client.query<{ id: string }>('select pg_current_xact_id()::text as id')])
  return rows[0]?.id
}

/**
 * Commits. Where the answer is lost, the server is asked on another connection what became of the transaction. Returns
 * whether the connection can be used again.
 */
async function commit(terms: Terms, client: PoolClient, transaction: string | undefined): Promise<boolean> {
  try {
    await client.query('commit')
    return true
  } catch (error) {
    if (!endsConnection(error)) throw error
    const outcome = transaction === undefined ? undefined : await commitOutcome(terms.pool, transaction)
    if (outcome === 'committed') return false
    if (outcome === 'aborted') throw error
    const reason = 'the connection was lost while a commit was under way'
    throw new StoreUnreachable({ store: terms.address.shown, reason, mayBeStored: true }, { cause: error })
  }
}

/**
 * The beginning of a transaction. Its settings end with it: behind a pooler the next transaction may be another
 * client's. One message with several statements is one round trip.
 */
function beginning({ address, isHasty }: Terms, mode: string): string {
  const { schema, timeoutMs } = address
  return [
    `begin ${mode}`,
    `set local statement_timeout = ${timeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${timeoutMs}`,
    ...(isHasty ? ['set local synchronous_commit = on'] : []),
    ...(schema === undefined ? [] : [`set local search_path = "${schema}"`]),
  ].join('; ')
}

/** Gives a connection back once its transaction has ended; without an end it is closed. */
function finish(client: PoolClient, ending: Promise<unknown>): void {
  ending.then(
    () => client.release(),
    () => client.release(true),
  )
}

/** Asks single values in a transaction that only reads. */
export async function askValues<Result>(terms: Terms, work: (ask: (sql: string) => Promise<string>) => Promise<Result>): Promise<Result> {
  const client = await take(terms.pool)
  try {
    await client.query(beginning(terms, 'read only'))
    const result = await work(async (sql) => {
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
      return String(rows[0]?.[0] ?? '')
    })
    finish(client, client.query('commit'))
    return result
  } catch (error) {
    finish(client, endsConnection(error) ? Promise.reject(error) : client.query('rollback'))
    throw error
  }
}
