import type { PartitionId } from '../scope/partition.ts'

/**
 * Names the lane of a partition's writes. A store over a network writes those of one lane in their order: side by side,
 * all change the partition's row, and all but one begin anew.
 */
export function laneOfPartition({ project, owner }: PartitionId): string {
  return JSON.stringify([project, owner.kind, owner.kind === 'user' ? owner.name : ''])
}

/** Returns the partition that a call is about: its first argument, if that is one. */
export function partitionOfCall([first]: readonly unknown[]): PartitionId | undefined {
  return isPartition(first) ? first : undefined
}

function isPartition(value: unknown): value is PartitionId {
  return typeof value === 'object' && value !== null && 'project' in value && 'owner' in value
}
