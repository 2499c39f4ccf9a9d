import type { PartitionId, SessionName } from '../scope/partition.ts'
import { findBoth } from './log/sessions.ts'
import { findPartition } from './partitions.ts'
import type { Program } from './program.ts'

/** The scope of a run of upkeep: a partition, or one session of it. */
export interface DueScope {
  readonly partition: PartitionId
  readonly session?: SessionName
}

/** A scope by its numbers. A session that is not there is `none`. */
export interface DuePlace {
  readonly partition: number
  readonly session: number | 'all' | 'none'
}

/** Finds a scope's place; undefined where its partition is not there. */
export function* duePlace({ partition, session }: DueScope): Program<DuePlace | undefined> {
  if (session === undefined) {
    const owner = yield* findPartition(partition)
    return owner === undefined ? undefined : { partition: owner.id, session: 'all' }
  }
  const { owner, row } = yield* findBoth(partition, session)
  return owner === undefined ? undefined : { partition: owner.id, session: row?.id ?? 'none' }
}
