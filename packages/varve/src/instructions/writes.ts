import { timed } from '../storage/offer.ts'
import { add, edit, restore, withdraw } from './write-instructions.ts'

/** The writes of instructions. */
export const instructionWrites = { add: timed(add), edit: timed(edit), restore: timed(restore), withdraw: timed(withdraw) }
