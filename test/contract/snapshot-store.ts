import Database from 'better-sqlite3'
import { MemoryClosed } from '../../packages/varve/src/errors/memory-closed.ts'
import { StoreBusy } from '../../packages/varve/src/errors/store-busy.ts'
import { execute, runStep } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { awaiting } from '../../packages/varve/src/testing/awaiting.ts'
import type { Program, StoreInitializer, StoreUnderTest } from '../../packages/varve/src/testing/index.ts'

type Connection = Database.Database

/** A changed row, and the function that makes the same change elsewhere. */
interface Change {
  readonly touched: string
  readonly sql: string
}

interface Column {
  readonly name: string
  readonly pk: number
}

const maxTries = 1_000

/**
 * REPEATABLE READ with retries, as in PostgreSQL: each program works on the state at its beginning. It begins anew when
 * another has changed or inserted a row that it also changes or inserts.
 *
 * Rows that it only read may have changed unseen (write skew).
 */
export const snapshotStores: StoreInitializer = {
  durable: false,
  open: async () => {
    const store = new Snapshots()
    return { write: (program) => store.write(program), read: (program) => store.read(program), close: () => store.close() }
  },
}

class Snapshots implements StoreUnderTest {
  readonly #main = recordingStore()
  /** The last commit that changed each row. */
  readonly #changed = new Map<string, number>()
  readonly #underWay = new Set<Promise<unknown>>()
  #commits = 0
  #isClosed = false

  write<Result>(program: () => Program<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new MemoryClosed())
    const call = this.#write(program)
    this.#underWay.add(call)
    return call.finally(() => this.#underWay.delete(call))
  }

  async read<Result>(program: () => Program<Result>): Promise<Result> {
    if (this.#isClosed) throw new MemoryClosed()
    return execute(this.#main, program())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#underWay)
    this.#main.close()
  }

  async #write<Result>(program: () => Program<Result>): Promise<Result> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const [copy, asOf] = [new Database(this.#main.serialize()), this.#commits]
      try {
        const result = await awaiting(program(), (step) => runStep(copy, step))
        const changes = copy.prepare<[], Change>('SELECT touched, sql FROM change ORDER BY id').all()
        if (this.#apply(changes, asOf)) return result
      } finally {
        copy.close()
      }
    }
    throw new StoreBusy({ store: ':memory:' })
  }

  /** Applies changes to a state. Returns false when others changed the same rows since. */
  #apply(changes: readonly Change[], asOf: number): boolean {
    if (changes.some(({ touched }) => (this.#changed.get(touched) ?? 0) > asOf)) return false
    try {
      this.#main.transaction(() => {
        for (const { sql } of changes) this.#main.exec(sql)
        this.#main.exec('DELETE FROM change')
      })()
    } catch (error) {
      // A unique column other than the key collides: the other's row was there first.
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) return false
      throw error
    }
    this.#commits += 1
    for (const { touched } of changes) this.#changed.set(touched, this.#commits)
    return true
  }
}

/** Makes a store in memory that notes each changed row in a table of its own. */
function recordingStore(): Connection {
  const connection = new Database(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const tables = connection
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()
  connection.exec('CREATE TABLE change (id INTEGER PRIMARY KEY, touched TEXT NOT NULL, sql TEXT NOT NULL)')
  for (const table of tables)
    connection.exec(triggersOf(table, connection.prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?)').all(table)))
  return connection
}

function triggersOf(table: string, columns: readonly Column[]): string {
  const names = columns.map(({ name }) => name)
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name)
  const values = (row: string, of: readonly string[]): string => of.map((name) => `quote(${row}.${name})`).join(" || ',' || ")
  const pairs = (row: string, of: readonly string[], between: string): string =>
    of.map((name) => `'${name} = ' || quote(${row}.${name})`).join(` || '${between}' || `)
  const trigger = (event: string, row: string, sql: string): string => `
    CREATE TRIGGER change_${event}_${table} AFTER ${event} ON ${table} BEGIN
      INSERT INTO change (touched, sql) VALUES ('${table} ' || ${values(row, keys)}, ${sql});
    END;`
  return [
    trigger('INSERT', 'NEW', `'INSERT INTO ${table} (${names.join()}) VALUES (' || ${values('NEW', names)} || ')'`),
    trigger('UPDATE', 'OLD', `'UPDATE ${table} SET ' || ${pairs('NEW', names, ', ')} || ' WHERE ' || ${pairs('OLD', keys, ' AND ')}`),
    trigger('DELETE', 'OLD', `'DELETE FROM ${table} WHERE ' || ${pairs('OLD', keys, ' AND ')}`),
  ].join('\n')
}
