import { timed } from '../storage/offer.ts'
import { add, edit, withdraw } from './write-instructions.ts'

/** The writes of instructions. */
export const instructionWrites = { add: timed(add), edit: timed(edit), withdraw: timed(withdraw) }
