import { plain } from '../storage/offer.ts'
import { newEndsIn } from './instruction-ends.ts'

/** The reads of what the writers of layers find out. */
export const distilReads = { instructionEnds: plain(newEndsIn) }
