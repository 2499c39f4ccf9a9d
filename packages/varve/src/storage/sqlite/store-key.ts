import { StoreBusy } from '../../errors/store-busy.ts'
import { movingKey, unfinishedMove } from '../moving.ts'
import type { Connection } from './connection.ts'

/** Returns the store's secret, made with it: the key of fences and shingles. */
export function storeKey(connection: Connection): string {
  return String(connection.prepare("SELECT value FROM meta WHERE key = 'store_key'").pluck().get())
}

/** Refuses a store into which another one is being moved: it has a part of the rows. */
export function refuseUnfinished(connection: Connection, store: string): void {
  const mark = connection.prepare<[string]>('SELECT value FROM meta WHERE key = ?').pluck().get(movingKey)
  if (mark !== undefined) throw new StoreBusy({ store, reason: unfinishedMove })
}
