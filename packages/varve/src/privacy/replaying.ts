import type { PartitionId } from '../scope/partition.ts'
import type { Erased } from '../storage/erase/erases.ts'

/** The owners of a store by the hashes of their names. */
export interface OwnersByHash {
  partition(hash: string): PartitionId | undefined
  project(hash: string): string | undefined
  /** The time since when a project shares; undefined while it does not. */
  sharingSince(project: string): number | undefined
  /** The time since when a project shares assistants' answers; undefined while it does not. */
  answersSince(project: string): number | undefined
}

/** The receipt that is replayed. */
export interface Replaying {
  readonly erased: Erased
  /** The receipt's time: what came later stays. */
  readonly at: number
  readonly now: number
  readonly secret: string
  readonly owners: OwnersByHash
}
