import { plain } from '../storage/offer.ts'
import { listBlocks, readBlock, readRevisions } from './read-blocks.ts'

/** The reads of blocks. */
export const blockReads = { list: plain(listBlocks), get: plain(readBlock), revisions: plain(readRevisions) }
