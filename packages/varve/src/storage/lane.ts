import type { PartitionId } from '../scope/partition.ts'

/**
 * Names the lane of a partition's writes. A store over a network writes those of one lane in their order: side by side,
 * all change the partition's row, and all but one begin anew.
 */
export function laneOfPartition({ project, owner }: PartitionId): string {
  return JSON.stringify([project, owner.kind, owner.kind === 'user' ? owner.name : ''])
}

/** Names the lane of a call by its first argument, if that is a partition. */
export function laneOfCall([first]: readonly unknown[]): string | undefined {
  return isPartition(first) ? laneOfPartition(first) : undefined
}

function isPartition(value: unknown): value is PartitionId {
  return typeof value === 'object' && value !== null && 'project' in value && 'owner' in value
}
