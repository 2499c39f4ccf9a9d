import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { foundElsewhere } from '../../packaged/packaged-file.ts'
import type { Connection } from './connection.ts'
import { hasRoomForLog } from './reserve.ts'
import { maxSearchedBytes } from './scan-files.ts'
import type { ScanRequest } from './scan-worker.ts'

/** What became of an attempt to get erased words out of the files' bytes. */
export type ErasureOutcome = { readonly done: true; readonly rewritten: boolean } | { readonly done: false; readonly reason: string }

const noRoom: ErasureOutcome = { done: false, reason: 'no space is left to move the write-ahead log into the store' }
const pinned: ErasureOutcome = { done: false, reason: 'a reader holds the write-ahead log' }

/**
 * Deleted rows are zeroed by secure_delete, but the log still has their old pages, and page balancing may have left a
 * stale copy. So: the log is moved into the database and cut to nothing (never waiting: a reader that pins it would
 * block us), the file is searched for the words where only dead bytes are, and rewritten when some are found, or when the
 * words are no longer known (after a crash) or too many to search for.
 */
export async function eraseBytes(connection: Connection, words: readonly Uint8Array[] | undefined): Promise<ErasureOutcome> {
  const file = connection.name
  if (file === ':memory:') return { done: true, rewritten: false }
  if (!hasRoomForLog(connection)) return noRoom
  if (!truncateLog(connection)) return pinned
  const searchable = words !== undefined && words.reduce((sum, text) => sum + text.length, 0) <= maxSearchedBytes
  if (searchable && (words.length === 0 || !(await scan({ file, texts: words })))) return { done: true, rewritten: false }
  connection.exec('VACUUM')
  return truncateLog(connection) ? { done: true, rewritten: true } : pinned
}

function truncateLog(connection: Connection): boolean {
  const timeout = Number(connection.pragma('busy_timeout', { simple: true }))
  connection.pragma('busy_timeout = 0')
  try {
    const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    const log = statSync(`${connection.name}-wal`, { throwIfNoEntry: false })
    return result?.busy === 0 && (log === undefined || log.size === 0)
  } finally {
    connection.pragma(`busy_timeout = ${timeout}`)
  }
}

function scan(request: ScanRequest): Promise<boolean> {
  const elsewhere = foundElsewhere(() => new URL('./scan-worker.ts', import.meta.url), 'dist/storage/sqlite/scan-worker.js')
  return new Promise((resolve, reject) => {
    const worker =
      elsewhere === undefined
        ? new Worker(new URL('./scan-worker.ts', import.meta.url), { workerData: request })
        : new Worker(elsewhere, { workerData: request })
    worker.once('message', (found: boolean) => resolve(found))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the search of the files ended without an answer')))
  })
}
