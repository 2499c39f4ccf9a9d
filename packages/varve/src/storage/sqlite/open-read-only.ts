import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { StoreReadOnly } from '../../errors/store-read-only.ts'
import { classify } from './classify.ts'
import type { Connection } from './connection.ts'
import { mustBeCurrent } from './migrate.ts'
import { applyPragmas, hasLog, refuseForeign } from './open-connection.ts'

/** The largest store that is read from memory: bytes. Each thread that reads holds it once. */
const mostBytesInMemory = 1024 * 1024 * 1024

/** The places of the two bytes in a database's header that say whether it has a write-ahead log: 2 with, 1 without. */
export const logMarks = [18, 19] as const

/** How often a store is read again that changed while it was read. */
const attempts = 3

/**
 * Tells whether a store is there and this process may not write it: its file, or its folder while the two files of the
 * log are not there.
 */
export function isUnwritable(file: string): boolean {
  if (file === ':memory:' || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  const needed = hasLogFiles(file) ? [file, ...logFiles(file)] : [file, dirname(file)]
  return needed.some((path) => cannotBeWritten(path))
}

/**
 * Opens a store that this process may not write. Nothing is written, not even beside it.
 *
 * SQLite reads a store with a write-ahead log only where it finds the two files of the log, or may make them. A store
 * that was closed has neither: it is read whole into memory, as it is now. One that is open elsewhere, or whose process
 * was killed, has both: it is read where it is, with all that is in its log.
 *
 * @throws StoreReadOnly with what is needed when it cannot be read; SchemaTooNew for a newer store.
 */
export function openReadOnly(file: string): Connection {
  refuseForeign(file, 'r')
  const connection = connected(file)
  try {
    applyPragmas(connection)
    mustBeCurrent(connection, file)
    return connection
  } catch (error) {
    connection.close()
    throw classify(error, file, 'open')
  }
}

function connected(file: string): Connection {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found = hasLogFiles(file) ? new Database(file, { readonly: true }) : inMemory(file)
      if (found !== undefined) return found
    } catch (error) {
      // Whoever has it open may close it meanwhile, and its log is gone.
      if (attempt === attempts) throw classify(error, file, 'open')
    }
    if (attempt === attempts) throw new StoreReadOnly({ store: file, reason: 'it kept changing while it was read. Try again.' })
  }
}

/** Reads a store that nobody has open into memory. Returns undefined when it changed meanwhile. */
function inMemory(file: string): Connection | undefined {
  if (hasLog(file)) {
    throw new StoreReadOnly({
      store: file,
      reason:
        `its log ${file}-wal holds what was written last, and ${file}-shm is not beside it. ` +
        'Open the store once where it can be written, or bring that file too.',
    })
  }
  const before = statSync(file)
  if (before.size > mostBytesInMemory) {
    throw new StoreReadOnly({
      store: file,
      reason: `it has ${before.size} bytes, and at most ${mostBytesInMemory} are read without the right to write in its folder.`,
    })
  }
  const bytes = readFileSync(file)
  const after = statSync(file)
  if (before.mtimeMs !== after.mtimeMs || before.size !== after.size || existsSync(`${file}-wal`)) return undefined
  for (const mark of logMarks) bytes[mark] = 1
  return new Database(bytes, { readonly: true })
}

function logFiles(file: string): string[] {
  return [`${file}-wal`, `${file}-shm`]
}

function hasLogFiles(file: string): boolean {
  return logFiles(file).every((path) => existsSync(path))
}

function cannotBeWritten(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS'].includes(String(error.code))
  }
}
