import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { StoreDamaged } from '../../errors/store-damaged.ts'
import { StoreFailed } from '../../errors/store-failed.ts'
import type { StoreCopy } from '../store-engine.ts'
import { uuidText } from '../uuid-bytes.ts'
import type { Connection } from './connection.ts'
import { mustBeCurrent } from './migrate.ts'
import { openConnection } from './open-connection.ts'
import { isUnwritable, logMarks, openReadOnly } from './open-read-only.ts'

/** Pages that are copied in one turn. Between two turns the copy can be stopped. */
const pagesAtOnce = 1_024

/** A copy of a store in a thread of its own. */
export interface CopyRequest {
  /** Absolute path of the store. Absent when its pages were copied already. */
  readonly store?: string
  /** Absolute path of the new file. */
  readonly to: string
}

/** The number of rows of each table. */
export type RowCounts = ReadonlyMap<string, number>

/** Gives the name of the file with a store's pages, beside the copy that is made of them. */
export function pagesBeside(to: string): string {
  return `${to}-pages`
}

/**
 * Copies one state of a store into a new file. First its pages, under one read transaction: writers go on, and the copy
 * neither sees their commits nor starts anew for them. Then SQLite writes the rows of those pages into the new file,
 * which so has no page and no gap with erased words in it. Alone, this second step could not be stopped, and told no
 * snapshot to count against.
 */
export async function makeCopy({ store, to }: CopyRequest, goOn: () => void): Promise<StoreCopy> {
  const pages = pagesBeside(to)
  const expected = store === undefined ? undefined : await snapshotOf(store, pages, goOn)
  goOn()
  withoutLog(pages)
  const connection = new Database(pages, { readonly: true })
  let found: RowCounts
  try {
    found = countRows(connection)
    closeSync(openSync(to, 'wx', 0o600))
    connection.prepare('VACUUM INTO ?').run(to)
  } finally {
    connection.close()
  }
  rmSync(pages, { force: true })
  goOn()
  makeDurable(to)
  return verifyCopy(to, expected ?? found)
}

async function snapshotOf(store: string, pages: string, goOn: () => void): Promise<RowCounts> {
  // To open a store that is gone would make a new one.
  if (!existsSync(store)) throw new StoreFailed({ operation: 'backup', reason: `${store} is no longer there` })
  const connection = isUnwritable(store) ? openReadOnly(store) : openConnection(store)
  try {
    connection.exec('BEGIN')
    const counts = countRows(connection)
    await copyPages(connection, pages, () => {
      goOn()
      return pagesAtOnce
    })
    connection.exec('COMMIT')
    return counts
  } finally {
    connection.close()
  }
}

/** Copies the pages of a store to a new file, private to the owner before a word is in it. */
export async function copyPages(connection: Connection, pages: string, progress: () => number): Promise<void> {
  closeSync(openSync(pages, 'wx', 0o600))
  await connection.backup(pages, { progress })
}

/** Marks a file as one without a write-ahead log: it is whole, and reading it makes no file beside it. */
function withoutLog(pages: string): void {
  const descriptor = openSync(pages, 'r+')
  try {
    for (const mark of logMarks) writeSync(descriptor, Uint8Array.of(1), 0, 1, mark)
  } finally {
    closeSync(descriptor)
  }
}

export function makeDurable(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Opens a copy, which has no log, and checks it: every page and index, its schema, and the rows of each table. */
export function verifyCopy(file: string, expected?: RowCounts): StoreCopy {
  const connection = new Database(file, { readonly: true })
  try {
    const problem = String(connection.pragma('integrity_check(1)', { simple: true }))
    if (problem !== 'ok') throw new StoreDamaged({ store: file, reason: problem })
    if (expected !== undefined) mustBeCurrent(connection, file)
    const counts = countRows(connection)
    for (const [table, rows] of expected ?? [])
      if (counts.get(table) !== rows)
        throw new StoreDamaged({ store: file, reason: `${table} has ${counts.get(table) ?? 0} rows where the store has ${rows}` })
    const last = connection.prepare('SELECT uuid FROM receipt ORDER BY id DESC LIMIT 1').pluck().get()
    return {
      bytes: statSync(file).size,
      messages: counts.get('message') ?? 0,
      receipts: counts.get('receipt') ?? 0,
      ...(last instanceof Uint8Array ? { lastReceipt: uuidText(last) } : {}),
    }
  } finally {
    connection.close()
  }
}

function countRows(connection: Connection): RowCounts {
  const tables = connection.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return new Map(tables.map(({ name }) => [name, Number(connection.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())]))
}
