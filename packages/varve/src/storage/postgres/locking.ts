import { partitionLookups } from '../partitions.ts'
import type { SingleStep } from '../program.ts'

/** A lock of a row whose key does not change: rows that refer to it may be added meanwhile. */
const lock = ' for no key update'

/**
 * Gives the end of a statement of a transaction that writes. The first one finds the partition, and takes its row: every
 * write changes that row, at its end. So two that meet do so before they have done their work, and the longer one gets on.
 *
 * Without it, a forget beside four processes that append began anew 40 times, and failed. Locks taken only by transactions
 * that began anew are worse: they and those that lock nothing meet in both orders, and the server ends one a second.
 */
export function lockOf(query: SingleStep['query']): string {
  return partitionLookups.has(query) ? lock : ''
}
