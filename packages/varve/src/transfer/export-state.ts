import { ExportInterrupted } from '../errors/export-interrupted.ts'
import type { PartitionId } from '../scope/partition.ts'
import { findDerived, findKnown, findPartition, type PartitionRow, partitionById } from '../storage/partitions.ts'
import { abreast, type Program } from '../storage/program.ts'
import { newestSession } from '../storage/transfer/log-rows.ts'

/**
 * The state of the store when an export began, in numbers. Messages and sessions that came later are left out. An
 * erasure in the partition ends the export.
 */
export interface ExportState {
  readonly partition: PartitionId
  readonly isShared: boolean
  /** The partition's number and epoch; 0 where nothing was ever stored. */
  readonly own: number
  readonly epoch: number
  readonly lastMessage: number
  /** The last ordinal of its items: those made since may tell of later messages. */
  readonly lastItem: number
  readonly lastSession: number
  readonly project: number
}

/** The partitions of an owner as they are now. */
export interface OwnRows {
  readonly own: PartitionRow | undefined
  readonly derived: PartitionRow | undefined
  readonly known: PartitionRow | undefined
}

export function* partitionsNow(partition: PartitionId): Program<OwnRows> {
  const [own, derived, known] = yield* abreast([findPartition(partition), findDerived(partition), findKnown(partition)])
  return { own, derived, known }
}

export function* beginState(partition: PartitionId, project: number): Program<ExportState> {
  const { own, derived } = yield* partitionsNow(partition)
  return {
    partition,
    isShared: partition.owner.kind === 'shared',
    own: own?.id ?? 0,
    epoch: own?.epoch ?? 0,
    lastMessage: own?.seq ?? 0,
    lastItem: derived?.seq ?? 0,
    lastSession: own === undefined ? 0 : yield* newestSession(own.id),
    project,
  }
}

/** Rejects when something of the partition was erased since the export began: earlier lines may hold it. */
export function* assertNothingErased({ own, epoch, partition }: ExportState): Program<void> {
  const now = own === 0 ? yield* findPartition(partition) : yield* partitionById(own)
  if (own === 0 ? now !== undefined : now?.epoch !== epoch) throw new ExportInterrupted()
}
