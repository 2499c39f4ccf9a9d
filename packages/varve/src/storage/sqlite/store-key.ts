import type { Connection } from './connection.ts'

/** The store's secret, made with it: what fences and shingles are keyed by. */
export function storeKey(connection: Connection): string {
  return String(connection.prepare("SELECT value FROM meta WHERE key = 'store_key'").pluck().get())
}
