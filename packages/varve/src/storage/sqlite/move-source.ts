import { existsSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { StoreForeign } from '../../errors/store-foreign.ts'
import type { LastNumbers, MovedTable, MovingSide, MovingSource } from '../moving.ts'
import { classify } from './classify.ts'
import type { Connection } from './connection.ts'
import { heldPrograms } from './held-programs.ts'
import { takeAlone } from './hold-store.ts'
import { migrate, type MigrateOptions } from './migrate.ts'
import { schemaVersion } from './migrations/all.ts'
import { rowsIn, sqliteTables, rowBatches } from './moved-tables.ts'
import { applyPragmas, refuseForeign } from './open-connection.ts'
import { refuseUnfinished } from './store-key.ts'

/**
 * Holds a store for this process alone, as long as it is moved: nobody else can read it or write to it. An older one is
 * migrated first. StoreBusy while another process has it open.
 */
export function holdSqlite(file: string, options: Omit<MigrateOptions, 'file'>): MovingSource {
  if (!existsSync(file) || statSync(file).size === 0) throw new StoreForeign({ store: file, reason: 'nothing is there' })
  let connection: Connection | undefined
  try {
    refuseForeign(file)
    connection = new Database(file, { fileMustExist: true })
    applyPragmas(connection)
    takeAlone(connection, file)
    migrate(connection, { ...options, file })
    refuseUnfinished(connection, file)
    return sourceOn(connection, file)
  } catch (error) {
    connection?.close()
    throw classify(error, file, 'move')
  }
}

function sourceOn(connection: Connection, file: string): MovingSource {
  const side = sqliteSide(connection, file)
  return {
    ...side,
    meta: async () => new Map(connection.prepare<[], { key: string; value: string }>('SELECT key, value FROM meta').all().map(pair)),
    counters: async () => countersOf(connection, side.tables),
  }
}

function pair({ key, value }: { readonly key: string; readonly value: string }): [string, string] {
  return [key, value]
}

/** What a source and a target have in common. */
export function sqliteSide(connection: Connection, file: string): MovingSide {
  return {
    shown: file,
    schemaVersion,
    tables: sqliteTables(connection),
    programs: heldPrograms(connection, file),
    count: async (table) => rowsIn(connection, table),
    async *rows(table, from) {
      try {
        yield* rowBatches(connection, table, from)
      } catch (error) {
        throw classify(error, file, 'move')
      }
    },
    release: async () => void connection.close(),
  }
}

/** SQLite notes the last number of a table whose numbers are never given out again, and takes the highest of another one. */
function countersOf(connection: Connection, tables: readonly MovedTable[]): LastNumbers {
  const noted = connection.prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').all()
  const highest = tables
    .filter(({ columns }) => columns.some((column) => column.name === 'id'))
    .map(({ name }): [string, number] => [name, Number(connection.prepare(`SELECT coalesce(max(id), 0) FROM "${name}"`).pluck().get())])
  return new Map([...highest, ...noted.map(({ name, seq }): [string, number] => [name, seq])])
}
