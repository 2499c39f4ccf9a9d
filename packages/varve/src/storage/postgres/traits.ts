import type { Pool } from 'pg'
import { sqlStateOf } from './classify.ts'
import { take } from './connections.ts'
import type { Terms } from './transactions.ts'

/** A function that this server does not have. */
const noSuchFunction = '42883'

/** Looks at how a server commits. */
export async function serverTraits(pool: Pool): Promise<Pick<Terms, 'isHasty' | 'tellsOutcomes'>> {
  const client = await take(pool)
  try {
    const { rows } = await client.query<{ setting: string }>("select current_setting('synchronous_commit') as setting")
    return { isHasty: rows[0]?.setting === 'off', tellsOutcomes: await tellsOutcomes(client) }
  } finally {
    client.release()
  }
}

/** PostgreSQL tells what became of a transaction; databases that speak its language may not. */
async function tellsOutcomes(client: Awaited<ReturnType<typeof take>>): Promise<boolean> {
  try {
    await client.query("select pg_xact_status('3'::xid8)")
    return true
  } catch (error) {
    if (sqlStateOf(error) === noSuchFunction || sqlStateOf(error) === '42704') return false
    throw error
  }
}
