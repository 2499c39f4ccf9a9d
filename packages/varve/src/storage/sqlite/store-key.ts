import type { Connection } from './connection.ts'

/** Returns the store's secret, made with it: the key of fences and shingles. */
export function storeKey(connection: Connection): string {
  return String(connection.prepare("SELECT value FROM meta WHERE key = 'store_key'").pluck().get())
}
