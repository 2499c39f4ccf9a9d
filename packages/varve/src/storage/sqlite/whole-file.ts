import Database from 'better-sqlite3'
import { StoreBusy } from '../../errors/store-busy.ts'
import { StoreDamaged } from '../../errors/store-damaged.ts'
import type { HeldStore } from './hold-store.ts'
import { identityIn } from './hold-store.ts'
import { makeDurable } from './make-copy.ts'
import { migrate, type MigrateOptions, refuseNewer } from './migrate.ts'
import { openConnection } from './open-connection.ts'

/** Checks every page and index of a file that this process has alone, and migrates it. Returns whose it is. */
export function verifyAndMigrate(file: string, options: Omit<MigrateOptions, 'file'>): HeldStore['identity'] {
  refuseNewer(file)
  const connection = openConnection(file)
  try {
    const problem = String(connection.pragma('integrity_check(1)', { simple: true }))
    if (problem !== 'ok') throw new StoreDamaged({ store: file, reason: problem })
    migrate(connection, { ...options, file })
    return identityIn(connection)
  } finally {
    connection.close()
  }
}

/** Counts the rows of a store that is whole. */
export interface WholeFile {
  readonly messages: number
  readonly receipts: number
}

/** Brings the log of a store that nobody else has into its file, checks it, and makes it durable. */
export function endLog(file: string): WholeFile {
  const connection = new Database(file, { fileMustExist: true })
  try {
    if (connection.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw new StoreBusy({ store: file })
    const problem = String(connection.pragma('quick_check(1)', { simple: true }))
    if (problem !== 'ok') throw new StoreDamaged({ store: file, reason: problem })
    const count = (table: string): number => Number(connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
    return { messages: count('message'), receipts: count('receipt') }
  } finally {
    connection.close()
    makeDurable(file)
  }
}
