// Makes test/fixtures/stores/schema-N.db for a schema version: node test/fault/make-fixtures.ts N. Run it once when a
// schema lands, never again.
import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import { hashedEmbeddingModel } from '../../packages/varve/src/testing/index.ts'
import { migrations } from '../../packages/varve/src/storage/sqlite/migrations/all.ts'
import { applicationId } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { fixtureContents, fixtureFile, fixtureSaid, fixtureSessions } from './support/fixture.ts'

if (import.meta.main) await makeFixture(Number(process.argv[2]))

/** Makes a store of the migrations up to a version. It has the rows that this Varve writes, in the columns of that version. */
async function makeFixture(version: number): Promise<void> {
  const file = fixtureFile(version)
  if (existsSync(file)) return void console.log(`${file} is there already: a fixture is never made again`)
  const source = join(tmpdir(), `varve-fixture-${process.pid}.db`)
  const memory = await openMemory({
    store: source,
    upkeep: 'manual',
    layers: { bank: true },
    embeddingModel: hashedEmbeddingModel({ dimension: 16 }),
  })
  await fill(memory)
  await memory.upkeep.run()
  await memory.close()
  const connection = new Database(file)
  connection.exec(`
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE schema_migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT
NULL) STRICT;
  `)
  connection.pragma(`application_id = ${applicationId}`)
  const insert = connection.prepare('INSERT INTO schema_migration (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)')
  for (const migration of migrations.filter((one) => one.version <= version)) {
    connection.exec(migration.sql)
    insert.run(migration.version, migration.name, createHash('sha256').update(migration.sql).digest('hex'), Date.UTC(2026, 5, 1))
  }
  copyRows(connection, source)
  connection.exec('VACUUM')
  connection.pragma('journal_mode = WAL')
  connection.close()
  rmSync(source)
  console.log(`made ${file}`)
}

async function fill(memory: Memory): Promise<void> {
  for (const user of ['ada', 'grace']) {
    const handle = memory.for({ project: 'acme', user })
    for (const session of fixtureSessions) {
      const messages = fixtureContents(user, session).map((content, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content,
        at: Date.UTC(2026, 5, 1, 9, at),
        id: `${session}-${at}`,
        metadata: { place: at },
      }))
      await handle.append(session, messages)
      await handle.sessions.ensure(session, { name: `About ${session}` })
      await handle.distil(session)
    }
    const job = await handle.facts.add({ predicate: 'works at', object: `the ferry office of ${user}`, validFrom: '2026-01-05' })
    await handle.facts.add({ predicate: 'parks at', object: 'pier two', dependsOn: [job.id] })
    await handle.facts.add({ predicate: 'works at', object: 'the smokehouse', validFrom: '2026-04-01' })
    await handle.instructions.add(`Call ${user} at nine.`)
    await handle.blocks.set('tasks', `What ${user} has to do: paint the boat.`)
    await handle.append(
      'bakery',
      fixtureSaid.map((content) => ({ role: 'user', content, at: Date.UTC(2026, 5, 1, 9) })),
    )
    await handle.documents.memorize('bakery')
    await handle.documents.edit('bakery', [{ tool: 'append', text: '- Ask for Mira.' }])
    await handle.documents.edit('plan', `# Plan of ${user}\n\n- Paint the boat.\n`, { description: 'What is planned.' })
    await handle.documents.restore('bakery', 2)
    await handle.notes.update('bakery')
    await handle.notes.edit('bakery', `# Notes of ${user}\n\n- Knock twice.\n\n${(await handle.notes.get('bakery'))?.content ?? ''}`)
  }
}

function copyRows(connection: Database.Database, source: string): void {
  connection.prepare('ATTACH ? AS source').run(source)
  const tables = connection
    .prepare<[], string>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migration'",
    )
    .pluck()
    .all()
  for (const table of tables) {
    const columns = connection.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}', 'main')`).pluck().all().join(', ')
    connection.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM source.${table}`)
  }
  connection.exec('DETACH source')
}
