import pRetry from 'p-retry'
import { type Connections, onConnection } from './connections.ts'

/** What became of a transaction: undefined when the server does not know any more. */
export type Outcome = 'committed' | 'aborted' | undefined

/**
 * A transaction, and the life of the server that gave it its number. After a crash, or on a standby that was promoted, a
 * number whose transaction left nothing may be given once more: another transaction's outcome would be told.
 *
 * The server's counters begin anew with each such life, so the time at which they did names it. Whoever resets them by hand
 * only makes an outcome unknown.
 */
export interface Numbered {
  readonly number: string
  readonly life: string
}

const lifeOfServer = "coalesce(pg_stat_get_bgwriter_stat_reset_time()::text, '')"

/** Asked within a transaction: its number and life. */
export const numberColumns = `pg_current_xact_id()::text as number, ${lifeOfServer} as life`

/** Asked once of a server: fails where it tells no outcomes. */
export const outcomeProbe = `select pg_xact_status('3'::xid8), ${lifeOfServer}`

/** After a crash or a promotion the server may not have given the number yet. It would answer that with an error. */
const outcomeQuery = `
  select life, case when life = $2 then pg_xact_status($1::text::xid8) end as status
  from (select ${lifeOfServer} as life) as server`

class NotEnded extends Error {}

/** Attempts to ask, while the server cannot be reached or the transaction has not ended: some 10 seconds. */
const attempts = { retries: 20, minTimeout: 20, maxTimeout: 1_000, factor: 2 }

/** Asks the server what became of a transaction whose connection was lost during the commit. */
export async function commitOutcome(connections: Connections, transaction: Numbered): Promise<Outcome> {
  try {
    return await pRetry(() => askOnce(connections, transaction), attempts)
  } catch {
    // Nobody knows: the caller says so.
    return undefined
  }
}

async function askOnce(connections: Connections, transaction: Numbered): Promise<Outcome> {
  const asked = [transaction.number, transaction.life]
  const { rows } = await onConnection(connections, (client) => client.query<{ status: string | null; life: string }>(outcomeQuery, asked))
  if (rows[0]?.life !== transaction.life) return undefined
  const { status } = rows[0]
  if (status === 'in progress') throw new NotEnded()
  return status === 'committed' || status === 'aborted' ? status : undefined
}
