import { changesByHand } from '../storage/journal/told.ts'
import { add, edit, restore, takeNoteBack, withdraw } from './write-instructions.ts'

/** The writes of instructions. */
export const instructionWrites = {
  add: changesByHand('instructions', add),
  edit: changesByHand('instructions', edit),
  restore: changesByHand('instructions', restore),
  takeNoteBack: changesByHand('instructions', (partition, id: string, _now: number) => takeNoteBack(partition, id)),
  withdraw: changesByHand('instructions', withdraw),
}
