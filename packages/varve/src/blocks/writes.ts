import type { PartitionId, SessionName } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { withRoom } from '../storage/with-room.ts'
import { changesByHand } from '../storage/journal/told.ts'
import { appendToBlock, deleteBlockAhead, type EditedBlock, reorderBlocks, restoreBlock, setBlock } from './write-block.ts'

/** The writes of blocks. */
export const blockWrites = {
  set: changesByHand('blocks', setBlock),
  append: changesByHand('blocks', appendToBlock),
  restore: changesByHand('blocks', restoreBlock),
  reorder: changesByHand('blocks', (partition, names: readonly string[], session: SessionName | undefined, _now: number) =>
    reorderBlocks(partition, names, session),
  ),
  delete: (here: WritingHere, partition: PartitionId, address: EditedBlock) =>
    withRoom(here, () => deleteBlockAhead(here, partition, address)),
}
