import { indexUnfoundBlocks } from '../blocks/index-unfound-blocks.ts'
import { type PartitionId, partitionId } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { blocksWithoutItem } from '../storage/transfer/write-rows.ts'

/**
 * Makes blocks findable that came with an import before an erasure took the import away: an erasure takes imports of its
 * partition, and of what the project shares.
 */
export async function makeBlocksFindable(here: WritingHere, partition: PartitionId): Promise<void> {
  for (const id of await here.read(partitionsWithUnfound(partition))) await here.write(() => indexUnfoundBlocks(id, here.now))
}

function* partitionsWithUnfound(partition: PartitionId): Program<readonly number[]> {
  const found: number[] = []
  for (const one of [partition, partitionId(partition.project, { kind: 'shared' })]) {
    const owner = yield* findPartition(one)
    if (owner !== undefined && (yield* blocksWithoutItem(owner.id)).length > 0) found.push(owner.id)
  }
  return found
}
