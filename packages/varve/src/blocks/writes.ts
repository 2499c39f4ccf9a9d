import { plain, timed } from '../storage/offer.ts'
import { appendToBlock, deleteBlockAhead, reorderBlocks, restoreBlock, setBlock } from './write-block.ts'

/** The writes of blocks. */
export const blockWrites = {
  set: timed(setBlock),
  append: timed(appendToBlock),
  restore: timed(restoreBlock),
  reorder: plain(reorderBlocks),
  delete: deleteBlockAhead,
}
