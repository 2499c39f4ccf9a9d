import { sqlStateOf } from './classify.ts'
import { type Connections, onConnection } from './connections.ts'
import { outcomeProbe } from './outcome.ts'

/** A function, or a type, that this server does not have. */
const unknownToServer = /^(?:42883|42704)$/

/** Tells whether a server says what became of a transaction. PostgreSQL does; databases that speak its language may not. */
export async function tellsOutcomes(connections: Connections): Promise<boolean> {
  try {
    await onConnection(connections, (client) => client.query(outcomeProbe))
    return true
  } catch (error) {
    if (unknownToServer.test(sqlStateOf(error))) return false
    throw error
  }
}

/** Tells whether the server hides rows of other partitions from this role: docs/operate/postgres-roles.sql sets that up. */
export async function guardsRows(connections: Connections): Promise<boolean> {
  const { schema } = connections.address
  // Behind a pooler a session has no search path of ours.
  const table = schema === undefined ? 'partition' : `"${schema}".partition`
  const asked = `select relrowsecurity::int as guards from pg_class where oid = '${table}'::regclass`
  const { rows } = await onConnection(connections, (client) => client.query<{ guards: number }>(asked))
  return rows[0]?.guards === 1
}
