import { plain, timed } from '../storage/offer.ts'
import { add, edit, restore, takeNoteBack, withdraw } from './write-instructions.ts'

/** The writes of instructions. */
export const instructionWrites = {
  add: timed(add),
  edit: timed(edit),
  restore: timed(restore),
  takeNoteBack: plain(takeNoteBack),
  withdraw: timed(withdraw),
}
