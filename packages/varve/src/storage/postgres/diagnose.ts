import type { Check } from '../check.ts'
import { farTable, mostFarIndexes } from './far-table.ts'
import { postgresSchemaVersion } from './migrations/all.ts'
import { askValues } from './transactions.ts'
import type { Terms } from './transactions.ts'

/** Checks a store without writing: its server, its settings, its schema and its waiting work. */
export async function diagnosePostgres(terms: Terms, segmentBytes: number, searchesFar: boolean): Promise<readonly Check[]> {
  return askValues(terms, async (ask) => {
    const version = Number(await ask('select max(version) from schema_migration'))
    const pending = Number(await ask("select count(*) from receipt where physical = 'pending'"))
    const settings: string[] = []
    for (const name of ['synchronous_commit', 'fsync', 'full_page_writes']) settings.push(`${name}=${await ask(`show ${name}`)}`)
    const isDurable = !settings.includes('fsync=off')
    const counts: string[] = []
    for (const table of ['message', 'session', 'partition', 'project'])
      counts.push(`${await ask(`select count(*) from ${table}`)} ${table}s`)
    return [
      {
        name: 'store',
        ok: true,
        detail: `${terms.address.shown}, ${await ask('select pg_size_pretty(pg_database_size(current_database()))')}`,
      },
      {
        name: 'postgres',
        ok: isDurable,
        detail: `PostgreSQL ${await ask('show server_version')}, ${settings.join(', ')}`,
        ...(isDurable ? {} : { fix: 'set fsync = on: without it a power cut loses acknowledged messages' }),
      },
      { name: 'schema', ok: version === postgresSchemaVersion, detail: `version ${version} of ${postgresSchemaVersion}` },
      { name: 'content', ok: true, detail: counts.join(', ') },
      { name: 'index', ok: true, detail: `${(segmentBytes / 1024 / 1024).toFixed(1)} MB of segments in memory` },
      {
        name: 'erasures',
        ok: pending === 0,
        detail: `${pending} wait for a vacuum of their tables`,
        ...(pending === 0 ? {} : { fix: 'the next upkeep vacuums, where its role may; or let the owner of the tables run VACUUM' }),
      },
      ...(searchesFar ? [await checkOfFar(ask)] : []),
    ]
  })
}

/** Tells whose vectors pgvector has, and whether this role may make an index for one more partition. */
async function checkOfFar(ask: (sql: string) => Promise<string>): Promise<Check> {
  const version = await ask("select extversion from pg_extension where extname = 'vector'")
  const copied = await ask(`select count(*) from ${farTable}`)
  const indexes = await ask(`select count(*) from pg_index where indrelid = '${farTable}'::regclass and not indisprimary`)
  const mayMake = (await ask(`select pg_has_role(relowner, 'usage')::int from pg_class where oid = '${farTable}'::regclass`)) === '1'
  return {
    name: 'vectors',
    ok: mayMake,
    detail: `pgvector ${version}, ${copied} vectors of partitions over the bound, ${indexes} of at most ${mostFarIndexes} indexes`,
    ...(mayMake ? {} : { fix: `this role may not make an index for one more partition: let the owner of ${farTable} run varve upkeep` }),
  }
}
