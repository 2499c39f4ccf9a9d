import pRetry from 'p-retry'
import { type Connections, onConnection, type ServerSession } from './connections.ts'

/**
 * Ends a session whose connection broke in the middle of a step. The server waits for the rest of it with the transaction
 * open, and no time-out of a statement or of an idle transaction ends that wait: its locks would stay. A session that
 * does something, such as a commit that waits for a standby, is left to end by itself.
 */
const end = `
  select wait_event = 'ClientRead' and pg_terminate_backend(pid) as ended from pg_stat_activity
  where pid = $1 and backend_start::text = $2 and state = 'active'`

class StillActive extends Error {}

/** Attempts while the session runs a statement: some seconds. */
const attempts = { retries: 12, minTimeout: 50, maxTimeout: 1_000, factor: 2 }

/** Ends what a broken connection left on the server. Tells whether nothing is left, as far as the server can be asked. */
export async function endLeftSession(connections: Connections, session: ServerSession): Promise<boolean> {
  try {
    await pRetry(() => endOnce(connections, session), attempts)
    return true
  } catch {
    // Whoever waits for its locks is told that the store is busy.
    return false
  }
}

async function endOnce(connections: Connections, { pid, since }: ServerSession): Promise<void> {
  if (connections.pool.ending) return
  const { rows } = await onConnection(connections, (client) => client.query<{ ended: boolean | null }>(end, [pid, since]))
  if (rows.some(({ ended }) => ended !== true)) throw new StillActive()
}
