import { plain, timed } from '../storage/offer.ts'
import { appendToBlock, deleteBlockAhead, reorderBlocks, restoreBlock, setBlock } from './write-block.ts'

/** What can be changed of blocks. */
export const blockWrites = {
  set: timed(setBlock),
  append: timed(appendToBlock),
  restore: timed(restoreBlock),
  reorder: plain(reorderBlocks),
  delete: deleteBlockAhead,
}
