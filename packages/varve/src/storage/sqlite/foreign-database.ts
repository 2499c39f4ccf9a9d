import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Files that hold what is not yet in the database itself: a write-ahead log, and a journal that must be rolled back. */
const beside = ['', '-wal', '-journal'] as const

/** How often a database is copied again that changed while it was copied. */
const attempts = 3

/** A value of another program's table. Whole numbers beyond 2^53, and bytes, are not read. */
export type ForeignValue = string | number | null

/** The reasons why a database of another program cannot be read. */
export class ForeignUnreadable extends Error {
  override readonly name = 'ForeignUnreadable'
}

/**
 * A database of another program, read from a private copy in a folder for temporary files: neither the file nor the
 * folder that it lies in is written, locked or waited for. `close` removes the copy.
 */
export class ForeignDatabase {
  readonly #folder: string
  readonly #connection: Database.Database

  constructor(file: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'varve-foreign-'))
    try {
      this.#connection = opened(file, join(this.#folder, 'copy.db'))
    } catch (error) {
      rmSync(this.#folder, { recursive: true, force: true })
      throw unreadable(error)
    }
  }

  /** The columns of a table; none where there is no such table, or where it is a view. */
  columns(table: string): ReadonlySet<string> {
    const found = this.#reading(() =>
      this.#connection
        .prepare<[string, string], { name: string }>(
          "SELECT c.name FROM sqlite_master m JOIN pragma_table_info(?) c WHERE m.type = 'table' AND m.name = ?",
        )
        .all(table, table),
    )
    return new Set(found.map(({ name }) => name))
  }

  /** Yields the rows of a question, one at a time. */
  *rows(question: string): Generator<Readonly<Record<string, ForeignValue>>> {
    const rows = this.#reading(() => this.#connection.prepare<[], Record<string, unknown>>(question).iterate())
    try {
      for (;;) {
        const next = this.#reading(() => rows.next())
        if (next.done === true) return
        yield Object.fromEntries(Object.entries(next.value).map(([name, value]) => [name, plain(value)]))
      }
    } finally {
      rows.return?.()
    }
  }

  close(): void {
    this.#connection.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #reading<Read>(read: () => Read): Read {
    try {
      return read()
    } catch (error) {
      throw unreadable(error)
    }
  }
}

function opened(file: string, copy: string): Database.Database {
  copyWhole(file, copy)
  const connection = new Database(copy)
  try {
    connection.pragma('trusted_schema = OFF')
    // Of a damaged page SQLite may read some rows, and say nothing of the others.
    if (connection.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new ForeignUnreadable('it is damaged')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

function plain(value: unknown): ForeignValue {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** Copies a database with what lies beside it, as one state: none of the files may change meanwhile. */
function copyWhole(file: string, copy: string): void {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const before = stateOf(file)
    for (const end of beside) {
      rmSync(copy + end, { force: true })
      if (existsSync(file + end)) copyFileSync(file + end, copy + end)
    }
    if (stateOf(file) === before) return
  }
  throw new ForeignUnreadable('it kept changing while it was read. Stop the program that writes it, or try again')
}

function stateOf(file: string): string {
  return beside
    .map((end) => statSync(file + end, { throwIfNoEntry: false }))
    .map((found) => (found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`))
    .join('\n')
}

function unreadable(error: unknown): unknown {
  if (error instanceof Database.SqliteError) return new ForeignUnreadable(`SQLite cannot read it (${error.code})`, { cause: error })
  return error
}
