import pRetry from 'p-retry'
import { type Connections, take } from './connections.ts'

/** What became of a transaction: undefined when the server does not know any more. */
export type Outcome = 'committed' | 'aborted' | undefined

class NotEnded extends Error {}

/** Attempts to ask, while the server cannot be reached or the transaction has not ended: some 10 seconds. */
const attempts = { retries: 20, minTimeout: 20, maxTimeout: 1_000, factor: 2 }

/** Asks the server what became of a transaction whose connection was lost during the commit. */
export async function commitOutcome(connections: Connections, transaction: string): Promise<Outcome> {
  try {
    return await pRetry(() => askOnce(connections, transaction), attempts)
  } catch {
    // Nobody knows: the caller says so.
    return undefined
  }
}

async function askOnce(connections: Connections, transaction: string): Promise<Outcome> {
  const client = await take(connections)
  try {
    const { rows } = await client.query<{ status: string | null }>('select pg_xact_status($1::text::xid8) as status', [transaction])
    const status = rows[0]?.status
    if (status === 'in progress') throw new NotEnded()
    return status === 'committed' || status === 'aborted' ? status : undefined
  } finally {
    client.release()
  }
}
