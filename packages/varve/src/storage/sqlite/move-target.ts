import { InvalidOption } from '../../errors/invalid-option.ts'
import { StoreBusy } from '../../errors/store-busy.ts'
import { rowsAlreadyThere } from '../moved-rows.ts'
import { type ColumnKind, type LastNumbers, type MovedTable, movingKey, type MovingTarget, type RowBatch } from '../moving.ts'
import { unpackRow } from '../packed-row.ts'
import { classify } from './classify.ts'
import type { Connection } from './connection.ts'
import { makeDurable } from './make-copy.ts'
import { migrate, type MigrateOptions, refuseNewer, versionOf } from './migrate.ts'
import { sqliteSide } from './move-source.ts'
import { sqliteTables } from './moved-tables.ts'
import { openConnection, prepareFile } from './open-connection.ts'
import { isPostgresColumn } from './postgres-columns.ts'

/** Pages of the store that are kept in memory: a negative number counts kibibytes. */
const cacheKib = 65_536

/** Pages of the log after which they are brought into the file: 64 MiB. A batch has some 4 MiB. */
const logPages = 16_384

/**
 * Takes a file for this process alone, as the target of a move: no store yet, an empty one, or one with an unfinished
 * move. The log is flushed when its pages are brought into the file, and not at each commit: a power cut takes the last
 * batches, together with the marks that name them.
 */
export function takeSqliteTarget(file: string, options: Omit<MigrateOptions, 'file'>): MovingTarget {
  let connection: Connection | undefined
  try {
    refuseNewer(file)
    prepareFile(file)
    connection = openConnection(file)
    refuseFull(connection, file)
    migrate(connection, { ...options, file })
    connection.pragma(`cache_size = -${cacheKib}`)
    connection.pragma(`wal_autocheckpoint = ${logPages}`)
    connection.pragma('synchronous = NORMAL')
    connection.pragma('locking_mode = EXCLUSIVE')
    connection.exec('BEGIN IMMEDIATE; COMMIT')
    return targetOn(connection, file)
  } catch (error) {
    connection?.close()
    throw classify(error, file, 'move')
  }
}

/** Refuses a store that has rows of its own, before it is changed. */
function refuseFull(connection: Connection, file: string): void {
  if (versionOf(connection) === 0 || markOf(connection) !== undefined) return
  const full = sqliteTables(connection).find(({ name }) => connection.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined)
  if (full === undefined) return
  throw new InvalidOption({ option: 'to', received: file, expected: `an empty store, or a path without one: it has rows in ${full.name}` })
}

function markOf(connection: Connection): string | undefined {
  const mark = connection.prepare<[string]>('SELECT value FROM meta WHERE key = ?').pluck().get(movingKey)
  return mark === undefined ? undefined : String(mark)
}

function targetOn(connection: Connection, file: string): MovingTarget {
  return {
    ...sqliteSide(connection, file),
    mark: async () => markOf(connection),
    begin: async (meta, mark) =>
      inTransaction(connection, () => {
        connection.exec('DELETE FROM meta')
        const insert = connection.prepare<[string, string]>('INSERT INTO meta (key, value) VALUES (?, ?)')
        for (const [key, value] of meta) insert.run(key, value)
        insert.run(movingKey, mark)
      }),
    store: async (table, rows, { before, after }) =>
      inTransaction(connection, () => {
        replaceMark(connection, file, before, after)
        try {
          insertRows(connection, table, rows)
        } catch (error) {
          throw isConstraint(error) ? rowsAlreadyThere(file, table.name, error) : error
        }
      }),
    settle: async () => undefined,
    end: async (counters, mark) => {
      inTransaction(connection, () => {
        replaceMark(connection, file, mark, undefined)
        setCounters(connection, counters)
      })
      connection.pragma('synchronous = FULL')
      connection.pragma('wal_checkpoint(TRUNCATE)')
      makeDurable(file)
    },
  }
}

function inTransaction(connection: Connection, work: () => void): void {
  connection.exec('BEGIN IMMEDIATE')
  try {
    work()
    connection.exec('COMMIT')
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw classify(error, connection.name, 'move')
  }
}

function isConstraint(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')
}

/** The file is held alone, so that only a defect or another hand could have changed the mark. */
function replaceMark(connection: Connection, file: string, before: string, after: string | undefined): void {
  if (markOf(connection) !== before) throw new StoreBusy({ store: file, reason: 'another move writes to it' })
  if (after === undefined) connection.prepare<[string]>('DELETE FROM meta WHERE key = ?').run(movingKey)
  else connection.prepare<[string, string]>('UPDATE meta SET value = ? WHERE key = ?').run(after, movingKey)
}

function insertRows(connection: Connection, { name, columns }: MovedTable, rows: RowBatch): void {
  const kept = columns.map((column) => !isPostgresColumn(name, column))
  const own = columns.filter((_, at) => kept[at])
  const names = own.map((column) => `"${column.name}"`).join(', ')
  const values = own.map(({ kind }) => placeholders[kind]).join(', ')
  const insert = connection.prepare(`INSERT INTO "${name}" (${names}) VALUES (${values})`)
  const kinds = columns.map(({ kind }) => kind)
  for (const row of rows) insert.run(...unpackRow(row, kinds).filter((_, at) => kept[at]))
}

/** The driver binds numbers as real ones, and texts come as their bytes. */
const placeholders: Readonly<Record<ColumnKind, string>> = { whole: '?', real: '?', text: 'CAST(? AS TEXT)', bytes: '?' }

/** A table whose numbers may be given out again has no counter here. */
function setCounters(connection: Connection, counters: LastNumbers): void {
  const counted = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'").pluck().all()
  const remove = connection.prepare<[string]>('DELETE FROM sqlite_sequence WHERE name = ?')
  const insert = connection.prepare<[string, number]>('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
  for (const name of counted.map(String)) {
    const last = counters.get(name)
    // The other store counts this table in its own way: here the rows that were written have set it.
    if (last === undefined) continue
    remove.run(name)
    if (last > 0) insert.run(name, last)
  }
}
