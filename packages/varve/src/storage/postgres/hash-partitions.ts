import type { PoolClient } from 'pg'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { type PostgresAddress, postgresAddress } from './address.ts'
import { classifyPostgres } from './classify.ts'
import { openPool, take } from './connections.ts'
import { distributedTables } from './distributed-tables.ts'
import { standingIdentity } from './migrate.ts'

/** The fewest and the most parts of a table. Each part is a table with its indexes: a server opens those that a query needs. */
export const hashPartitionBounds = { least: 2, most: 1_024 } as const

/** The longest wait for programs that use a table: milliseconds. */
const usualLockWaitMs = 10_000

export interface HashPartitioning {
  /** Is told of each table that is done. */
  readonly told?: (table: string) => void
  /** The longest wait for programs that use a table: milliseconds. Default: 10 seconds. */
  readonly lockWaitMs?: number
}

/** What became of the tables. */
export interface HashPartitioned {
  readonly parts: number
  /** The tables that were divided now; the others were divided by a call that was cut off. */
  readonly divided: readonly string[]
}

/**
 * Divides the tables of a store that hold rows of partitions into parts, by a hash of the partition. The store must have
 * the newest schema. Each table is copied in a transaction of its own, and nobody else may use it meanwhile. A call that
 * was cut off is gone on with by the next.
 */
export async function hashPartition(place: string, parts: number, options: HashPartitioning = {}): Promise<HashPartitioned> {
  const { least, most } = hashPartitionBounds
  if (!Number.isInteger(parts) || parts < least || parts > most)
    throw new InvalidOption({ option: 'hash-partitions', received: String(parts), expected: `a whole number from ${least} to ${most}` })
  const address = postgresAddress(place)
  // A copy takes as long as it takes.
  const connections = await openPool({ ...address, connections: 1, timeoutMs: 2 ** 31 - 1 - 2_000 })
  try {
    const client = await take(connections)
    try {
      return await divideAll(client, address, parts, options)
    } finally {
      client.release()
    }
  } catch (error) {
    throw classifyPostgres(error, place, 'write')
  } finally {
    await connections.pool.end()
  }
}

async function divideAll(
  client: PoolClient,
  address: PostgresAddress,
  parts: number,
  { told = () => undefined, lockWaitMs = usualLockWaitMs }: HashPartitioning,
): Promise<HashPartitioned> {
  if ((await standingIdentity(client, address)) === undefined)
    throw new InvalidOption({
      option: 'store',
      received: address.shown,
      expected: 'a store of this Varve: open it once, which makes its tables',
    })
  const standing = await partsOfTables(client)
  const others = [...new Set(standing.values())].filter((count) => count > 0)
  const [first] = others
  if (first !== undefined && (first !== parts || [...standing.values()].every((count) => count > 0)))
    throw new InvalidOption({ option: 'hash-partitions', received: String(parts), expected: `none: the store has ${first} parts already` })
  const divided = distributedTables.filter((table) => standing.get(table) === 0)
  for (const table of divided) {
    await divide(client, table, parts, lockWaitMs)
    told(table)
  }
  return { parts, divided }
}

/** Returns the number of parts of each table; 0 for a whole one. */
async function partsOfTables(client: PoolClient): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; parts: number }>(
    `select c.relname as name, (select count(*) from pg_inherits i where i.inhparent = c.oid) as parts
      from pg_class c where c.oid = any($1::text[]::regclass[])`,
    [distributedTables],
  )
  return new Map(rows.map(({ name, parts }) => [name, parts]))
}

async function divide(client: PoolClient, table: string, parts: number, lockWaitMs: number): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lockWaitMs}; set local row_security = off`)
  try {
    await client.query(`lock table "${table}" in access exclusive mode`)
    const after = await definitionsOf(client, table)
    const references = await referencesTo(client, table)
    const each = Array.from(
      { length: parts },
      (_, part) => `create table "${table}_${part}" partition of "${table}" for values with (modulus ${parts}, remainder ${part})`,
    )
    const statements = [
      ...references,
      // A policy would hide rows from their owner too. With row_security off, one that still does is an error.
      `alter table "${table}" no force row level security`,
      `alter table "${table}" rename to "${table}_whole"`,
      `create table "${table}" (like "${table}_whole" including defaults including storage) partition by hash (partition_id)`,
      ...each,
      `insert into "${table}" select * from "${table}_whole"`,
      // Its indexes have the names that the new ones get.
      `drop table "${table}_whole"`,
      ...after,
    ]
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
    await client.query(`analyze "${table}"`)
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Returns what removes the foreign keys that lead to a table: those of vectors in pgvector, where that option is used. */
async function referencesTo(client: PoolClient, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ removed: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as removed
      from pg_constraint where confrelid = $1::text::regclass and contype = 'f'`,
    [table],
  )
  return rows.map(({ removed }) => removed)
}

/** Returns what makes the keys, the indexes, the rights and the policies of a table again, and the foreign keys that lead to it. */
async function definitionsOf(client: PoolClient, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ made: string }>(
    `select format('alter table %I add constraint %I %s', $1::text, conname, pg_get_constraintdef(oid)) as made
        from pg_constraint where conrelid = $1::text::regclass and contype in ('p', 'u', 'c')
      union all
      select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        from pg_constraint where confrelid = $1::text::regclass and contype = 'f'
      union all
      select pg_get_indexdef(indexrelid) from pg_index i where indrelid = $1::text::regclass
        and not exists (select from pg_constraint where conindid = i.indexrelid)
      union all
      select format('grant %s on %I to %s', a.privilege_type, $1::text,
          case when a.grantee = 0 then 'public' else quote_ident(r.rolname) end)
        from pg_class c, aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee where c.oid = $1::text::regclass
      union all
      select format('create policy %I on %I as %s for %s to %s%s%s', policyname, tablename, permissive, cmd,
          array_to_string(array(select case when one = 'public' then one else quote_ident(one) end from unnest(roles) one), ', '),
          ' using (' || qual || ')', ' with check (' || with_check || ')')
        from pg_policies where tablename = $1::text and schemaname = current_schema()
      union all
      select format('alter table %I enable row level security', $1::text) from pg_class
        where oid = $1::text::regclass and relrowsecurity
      union all
      select format('alter table %I force row level security', $1::text) from pg_class
        where oid = $1::text::regclass and relforcerowsecurity`,
    [table],
  )
  return rows.map(({ made }) => made)
}
