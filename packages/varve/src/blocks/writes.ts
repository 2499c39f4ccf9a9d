import type { PartitionId } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { withRoom } from '../storage/with-room.ts'
import { plain, timed } from '../storage/offer.ts'
import { appendToBlock, type BlockAddress, deleteBlockAhead, reorderBlocks, restoreBlock, setBlock } from './write-block.ts'

/** The writes of blocks. */
export const blockWrites = {
  set: timed(setBlock),
  append: timed(appendToBlock),
  restore: timed(restoreBlock),
  reorder: plain(reorderBlocks),
  delete: (here: WritingHere, partition: PartitionId, address: BlockAddress) =>
    withRoom(here, () => deleteBlockAhead(here, partition, address)),
}
