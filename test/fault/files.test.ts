import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { StoreDamaged } from '../../packages/varve/src/errors/store-damaged.ts'
import { VarveError } from '../../packages/varve/src/errors/varve-error.ts'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { migrations, schemaVersion } from '../../packages/varve/src/storage/sqlite/migrations/all.ts'
import { fixtureContents, fixtureFile, fixtureSaid, fixtureSessions, fixtureUsers } from './support/fixture.ts'
import { copyPrivately, fingerprint, temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { summarise } from './support/scale.ts'

const newest = fixtureFile(schemaVersion)

/** Refused and migrated by the threads of a host; the others inline, since a file is opened by the same code, at a tenth of the CPU. */
const inThreads: ReadonlySet<string | number> = new Set([
  'a text file',
  'a store cut in the middle',
  'a newer schema',
  1,
  schemaVersion - 1,
])
const engineFor = (what: string | number) => (inThreads.has(what) ? 'threads' : 'inline')

/** Files that are not a store of this Varve, with the way each is made and its error. */
const refused: readonly (readonly [what: string, code: string, make: (file: string) => void])[] = [
  ['a text file', 'STORE_FOREIGN', (file) => writeFileSync(file, 'Dear diary, the kiosk opens on the 16th.\n'.repeat(200))],
  ['a short text file', 'STORE_FOREIGN', (file) => writeFileSync(file, 'ada')],
  ['random bytes', 'STORE_FOREIGN', (file) => writeFileSync(file, randomBytes(50_000))],
  ['a folder', 'STORE_FOREIGN', (file) => mkdirSync(file)],
  ['another program’s database', 'STORE_FOREIGN', (file) => otherDatabase(file, 'DELETE')],
  ['another program’s database with a log', 'STORE_FOREIGN', (file) => otherDatabase(file, 'WAL')],
  ['another program’s database, its tables still in the log', 'STORE_FOREIGN', otherDatabaseInLog],
  ['a header and no more', 'STORE_DAMAGED', (file) => cut(file, 100)],
  ['half a header', 'STORE_DAMAGED', (file) => cut(file, 50)],
  ['a store cut after its first page', 'STORE_DAMAGED', (file) => cut(file, 4096)],
  ['a store cut in the middle', 'STORE_DAMAGED', (file) => cut(file, Math.floor(readFileSync(newest).length / 2))],
  ['a store that lacks its last byte', 'STORE_DAMAGED', (file) => cut(file, readFileSync(newest).length - 1)],
  [
    'a store with a migration of another kind',
    'STORE_DAMAGED',
    (file) => change(file, "UPDATE schema_migration SET checksum = 'x' WHERE version = 1"),
  ],
  ['a newer schema', 'SCHEMA_TOO_NEW', (file) => change(file, "INSERT INTO schema_migration VALUES (99, 'later', 'x', 0)")],
]

describe('a file that is not a store of this Varve', () => {
  it.each(refused)('is refused and left as it is: %s', async (what, code, make) => {
    using folder = temporaryFolder()
    const store = folder.file('store.db')
    make(store)
    const before = fingerprint(folder.path)
    const error = await openMemory({ store, engine: engineFor(what), upkeep: 'manual' }).then(
      (memory) => memory.close(),
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(VarveError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(store) })
    // Reading a database with a log makes the log's shared index; it holds nothing of its own.
    const { 'store.db-shm': _index, ...after } = fingerprint(folder.path)
    expect('store.db-wal' in before ? after : fingerprint(folder.path)).toEqual(before)
    summarise(`${what}: ${code}, untouched`)
  })

  it.each([512, 2_048])('is made anew when it is a new store whose maker died after %i bytes of its first page', async (bytes) => {
    using folder = temporaryFolder()
    const store = folder.file('store.db')
    const begun = new Database(store)
    begun.pragma('journal_mode = WAL')
    begun.close()
    truncateSync(store, bytes)
    await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
    await memory.for('ada').append('talk', { role: 'user', content: 'the ferry leaves at nine' })
    expect((await memory.for('ada').recall('ferry')).hits).toHaveLength(1)
    expect(problemsOf(store)).toEqual([])
  })

  // requirement: P1.14
  it('names both versions of a newer schema', async () => {
    using folder = temporaryFolder()
    const store = folder.file('store.db')
    change(store, "INSERT INTO schema_migration VALUES (99, 'later', 'x', 0)")
    await expect(openMemory({ store })).rejects.toMatchObject({
      found: 99,
      supported: schemaVersion,
      message: expect.stringMatching(new RegExp(String.raw`\b99\b.*\b${schemaVersion}\b`)),
    })
  })

  it('is recognised as damaged when pages in its middle are not what they were', async () => {
    using folder = temporaryFolder()
    const store = folder.file('store.db')
    copyPrivately(newest, store)
    const bytes = readFileSync(store)
    for (let page = 2; page < bytes.length / 4096; page += 1) randomBytes(2_000).copy(bytes, page * 4096)
    writeFileSync(store, bytes)
    const failed = await openMemory({ store, upkeep: 'manual' }).then(
      async (memory) => {
        await using open = memory
        return open
          .for({ project: 'acme', user: 'ada' })
          .messages('harbour')
          .catch((error: unknown) => error)
      },
      (error: unknown) => error,
    )
    expect(failed).toBeInstanceOf(StoreDamaged)
  })
})

describe('a store of each schema version', () => {
  // requirement: P1.13
  it.each(migrations.map(({ version }) => version))('version %i is migrated and whole, from its fixture', async (version) => {
    using folder = temporaryFolder()
    const store = folder.file('store.db')
    copyPrivately(fixtureFile(version), store)
    {
      await using memory = await openMemory({ store, engine: engineFor(version), upkeep: 'manual' })
      for (const user of fixtureUsers) {
        const ada = memory.for({ project: 'acme', user })
        for (const session of fixtureSessions) {
          const messages = await ada.messages(session)
          expect(messages.map(({ content }) => content)).toEqual(fixtureContents(user, session))
          expect(messages[3]).toMatchObject({
            externalId: `${session}-3`,
            role: 'assistant',
            metadata: { place: 3 },
            seq: 4,
            at: Date.UTC(2026, 5, 1, 9, 3),
          })
          expect(await ada.sessions.get(session)).toMatchObject({ name: `About ${session}`, messages: 12 })
        }
        const [hit] = (await ada.recall(fixtureContents(user, 'harbour')[5] ?? '')).hits
        expect(hit?.text).toBe(fixtureContents(user, 'harbour')[5])
        const known = await ada.facts.list({ validAt: '2026-06-01' })
        expect(known.map(({ object, doubtful }) => `${object}${doubtful ? '?' : ''}`)).toEqual(version < 5 ? [] : ['the smokehouse'])
        expect((await ada.instructions.list()).map(({ text }) => text)).toEqual(version < 8 ? [] : [`Call ${user} at nine.`])
        expect((await ada.blocks.list()).map(({ text }) => text)).toEqual(version < 5 ? [] : [`What ${user} has to do: paint the boat.`])
        expect(await pagesOf(ada)).toEqual(version < 6 ? [] : pagesInFixture(user))
        if (version >= 6) await ada.forget({ session: 'bakery' })
        expect(await pagesOf(ada)).toEqual(version < 6 ? [] : pagesInFixture(user).slice(2))
        await ada.append('harbour', { role: 'user', content: 'And on.' })
        await ada.forget({ session: 'winter' })
      }
      expect((await memory.doctor()).checks.filter(({ ok }) => !ok)).toEqual([])
    }
    expect(Object.keys(fingerprint(folder.path))).toEqual(['store.db'])
    expect(problemsOf(store)).toEqual([])
    summarise(`schema ${version} of ${schemaVersion}: migrated, ${fixtureUsers.length * fixtureSessions.length * 12} messages whole`)
  })
})

/** Returns the text of documents, and of notes that a person wrote into. */
async function pagesOf(user: UserMemory): Promise<string[]> {
  const [documents, notes] = [await user.documents.list(), await user.notes.list()]
  const said = await Promise.all([
    ...notes.map(({ session }) => user.notes.get(session)),
    ...documents.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name }) => user.documents.read(name)),
  ])
  return said.map((page) => page?.content.split('\n\n').slice(0, 2).join('; ').trim() ?? '')
}

function pagesInFixture(user: string): string[] {
  return [
    `# Notes of ${user}; - Knock twice.`,
    fixtureSaid.map((said) => `- 2026-06-01: ${said}`).join('\n'),
    `# Plan of ${user}; - Paint the boat.`,
  ]
}

function otherDatabase(file: string, mode: 'DELETE' | 'WAL'): void {
  const connection = new Database(file)
  connection.pragma(`journal_mode = ${mode}`)
  connection.exec("CREATE TABLE recipe (name TEXT); INSERT INTO recipe VALUES ('soup')")
  connection.close()
}

/** Leaves a database as a killed program does: its file is one empty page, all else is in the log. */
function otherDatabaseInLog(file: string): void {
  const original = `${file}.original`
  const connection = new Database(original)
  connection.pragma('journal_mode = WAL')
  connection.exec("CREATE TABLE recipe (name TEXT); INSERT INTO recipe VALUES ('soup')")
  for (const suffix of ['', '-wal']) copyFileSync(`${original}${suffix}`, `${file}${suffix}`)
  connection.close()
}

function cut(file: string, size: number): void {
  copyPrivately(newest, file)
  truncateSync(file, size)
}

function change(file: string, sql: string): void {
  copyPrivately(newest, file)
  const connection = new Database(file)
  connection.exec(sql)
  connection.close()
}
