import { indexUnfoundBlocks } from '../blocks/index-unfound-blocks.ts'
import { type PartitionId, partitionId } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { findDerived, findPartition } from '../storage/partitions.ts'
import { abreast, type Program } from '../storage/program.ts'
import { blocksUnfoundIn } from '../storage/transfer/write-rows.ts'

/**
 * Makes blocks findable that came with an import before an erasure took the import away: an erasure takes imports of its
 * partition, and of what the project shares.
 */
export async function makeBlocksFindable(here: WritingHere, partition: PartitionId): Promise<void> {
  await indexBlocksIn(here, await here.read(partitionsWithUnfound(partition)))
}

/** Makes the blocks of some partitions findable. */
export async function indexBlocksIn(here: WritingHere, partitions: readonly number[]): Promise<void> {
  for (const id of partitions) await here.write(() => indexUnfoundBlocks(id, here.now))
}

/** Returns the numbers of a partition and of what its project shares, as far as they have blocks that nothing finds. */
export function* partitionsWithUnfound(partition: PartitionId): Program<readonly number[]> {
  const places = [partition, partitionId(partition.project, { kind: 'shared' })]
  return (yield* abreast(places.map(withUnfound))).flat()
}

function* withUnfound(partition: PartitionId): Program<readonly number[]> {
  const [owner, derived] = yield* abreast([findPartition(partition), findDerived(partition)])
  return owner === undefined || (yield* blocksUnfoundIn(owner.id, derived?.id)).length === 0 ? [] : [owner.id]
}
