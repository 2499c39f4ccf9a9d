import { plain } from '../storage/offer.ts'
import { listBlocks, readBlock, readRevisions } from './read-blocks.ts'

/** What can be asked of blocks. */
export const blockReads = { list: plain(listBlocks), get: plain(readBlock), revisions: plain(readRevisions) }
