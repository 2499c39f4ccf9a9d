import { shownAt, plain } from '../storage/offer.ts'
import { listInstructions, tellInstruction } from './read-instructions.ts'

/** The reads of instructions. */
export const instructionReads = { list: shownAt(listInstructions), tell: plain(tellInstruction) }
