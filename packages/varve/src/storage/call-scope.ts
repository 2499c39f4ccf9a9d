import { AsyncLocalStorage } from 'node:async_hooks'
import type { PartitionId } from '../scope/partition.ts'

/** The partition that a call is about. */
export type RowScope = PartitionId

/**
 * The partition that the running call is about. A store whose server guards rows tells it with each transaction, and
 * the server hides those of other partitions.
 */
export const callScope = new AsyncLocalStorage<RowScope>()
