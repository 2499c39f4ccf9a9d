import { existsSync, mkdirSync, openSync, closeSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { StoreDamaged } from '../../errors/store-damaged.ts'
import { StoreFailed } from '../../errors/store-failed.ts'
import { StoreForeign } from '../../errors/store-foreign.ts'
import { StoreReadOnly } from '../../errors/store-read-only.ts'
import { classify } from './classify.ts'
import type { Connection } from './connection.ts'

/** "VARV": stands in the header of every store, so that another program's SQLite file is never taken for one. */
export const applicationId = 0x56415256

/** The time that a statement waits for another process's lock: milliseconds. */
export const busyTimeoutMs = 5_000

/** The time before a connection asks for the write-ahead log again: milliseconds. */
const retryMs = 5

/** The settings of every connection. They are read back, since a setting that failed would cost data or leave bytes. */
const pragmas: readonly (readonly [name: string, set: string, expected: unknown])[] = [
  ['busy_timeout', String(busyTimeoutMs), busyTimeoutMs],
  // The driver's default in WAL mode is NORMAL, which loses acknowledged commits at a power cut.
  ['synchronous', 'FULL', 2],
  ['secure_delete', 'ON', 1],
  ['temp_store', 'MEMORY', 2],
  ['foreign_keys', 'OFF', 0],
  ['trusted_schema', 'OFF', 0],
]

/** 3.51.3 fixed a bug that could corrupt a WAL under concurrent checkpoints. */
const leastSqlite = [3, 51, 3] as const

const header = 'SQLite format 3\0'

/** Opens a store's file (':memory:' for none) with every setting that durability and erasure need. */
export function openConnection(file: string): Connection {
  try {
    return open(file)
  } catch (error) {
    throw classify(error, file, 'open')
  }
}

function open(file: string): Connection {
  const inMemory = file === ':memory:'
  if (!inMemory) {
    refuseForeign(file)
    prepareFile(file)
  }
  const connection = new Database(file, { timeout: busyTimeoutMs })
  try {
    const mode = writeAhead(connection)
    if (!inMemory && mode !== 'wal') throw new StoreFailed({ operation: 'open', reason: `journal mode is ${String(mode)}, not wal` })
    applyPragmas(connection)
    checkVersion(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * Switches a connection to the write-ahead log. Two processes that make a store at once both want the file's lock for
 * this. SQLite then fails at once: its busy timeout does not apply where a lock is raised.
 */
function writeAhead(connection: Connection): unknown {
  const until = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      return connection.pragma('journal_mode = WAL', { simple: true })
    } catch (error) {
      if (Date.now() >= until || !(error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    }
  }
}

/** Sets what every connection needs, and reads it back. */
export function applyPragmas(connection: Connection): void {
  for (const [name, set, expected] of pragmas) {
    connection.pragma(`${name} = ${set}`)
    const found = connection.pragma(name, { simple: true })
    if (found !== expected) throw new StoreFailed({ operation: 'open', reason: `${name} is ${String(found)}, not ${String(expected)}` })
  }
}

function checkVersion(connection: Connection): void {
  const version = String(connection.prepare('SELECT sqlite_version()').pluck().get())
  const found = version.split('.').map(Number)
  for (const [place, least] of leastSqlite.entries()) {
    const part = found[place] ?? 0
    if (part > least) return
    if (part < least) throw new StoreFailed({ operation: 'open', reason: `SQLite ${version} is older than ${leastSqlite.join('.')}` })
  }
}

/**
 * Checks a file before SQLite opens it, with the right that SQLite will need. A file that is not a whole store of Varve
 * stays exactly as it is.
 */
export function refuseForeign(file: string, right: 'r' | 'r+' = 'r+'): void {
  if (!existsSync(file)) return
  const stats = statSync(file)
  if (stats.isDirectory()) throw new StoreForeign({ store: file, reason: 'it is a folder' })
  if (stats.size === 0) return
  const bytes = readHeader(file, right)
  // The size is read after the header: another process may have made the file longer since.
  const { size } = statSync(file)
  if (!bytes.subarray(0, 16).equals(Buffer.from(header))) throw new StoreForeign({ store: file, reason: 'it is not a SQLite database' })
  if (bytes.length < 100) throw new StoreDamaged({ store: file, reason: 'its header is cut short' })
  const id = bytes.readUInt32BE(68)
  const pages = bytes.readUInt32BE(28)
  const pageSize = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16)
  if (id !== applicationId && !(id === 0 && pages <= 1)) throw new StoreForeign({ store: file, reason: 'it belongs to another program' })
  // A database of one page has no table in it. A shorter file is a new store whose maker died, and is made again.
  if (pages > 1 && size < pages * pageSize && !hasLog(file)) {
    throw new StoreDamaged({ store: file, reason: `it has ${size} bytes where its header says ${pages * pageSize}` })
  }
}

/** Tells whether content of the store may be in its log and not yet in its file. */
export function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

function readHeader(file: string, right: 'r' | 'r+'): Buffer {
  let descriptor: number
  try {
    descriptor = openSync(file, right)
  } catch (error) {
    throw new StoreReadOnly({ store: file }, { cause: error })
  }
  try {
    const bytes = Buffer.alloc(100)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, 100, 0))
  } finally {
    closeSync(descriptor)
  }
}

/** Makes a new store private to the owner: its folder 0700 if we make it, its file 0600 before a word is in it. */
export function prepareFile(file: string): void {
  if (file === ':memory:' || existsSync(file)) return
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw classify(Object.assign(error, { code: 'SQLITE_FULL' }), file, 'open')
    throw new StoreReadOnly({ store: file }, { cause: error })
  }
}
