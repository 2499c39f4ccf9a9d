import { InvalidOption } from '../../errors/invalid-option.ts'
import type { HashPartitioned } from '../../storage/postgres/hash-partitions.ts'
import { isPostgres } from '../places.ts'

/** Refuses a store whose tables cannot be divided. */
export function checkDivisible(place: string): void {
  if (isPostgres(place)) return
  throw new InvalidOption({ option: 'store', received: 'a SQLite file', expected: 'a PostgreSQL store: a file is of one machine' })
}

/** Divides the tables of a PostgreSQL store into parts, by a hash of the partition (docs/operate/scale.md). */
export async function divideStore(place: string, parts: number, told: (table: string) => void): Promise<HashPartitioned> {
  checkDivisible(place)
  const { hashPartition } = await import('../../storage/postgres/hash-partitions.ts')
  return hashPartition(place, parts, { told })
}
