import type { PartitionId } from '../scope/partition.ts'
import { changesByHand } from '../storage/journal/told.ts'
import type { Program } from '../storage/program.ts'
import { type EditedById, onVersion } from '../storage/versions.ts'
import { instructionVersion } from './read-instructions.ts'
import { add, edit, restore, takeNoteBack, withdraw } from './write-instructions.ts'

/** The writes of instructions. */
export const instructionWrites = {
  add: changesByHand('instructions', add),
  edit: changesByHand('instructions', (partition, edited: EditedById, text: string, now: number) =>
    ifStanding(partition, edited, edit(partition, edited.id, text, now)),
  ),
  restore: changesByHand('instructions', (partition, edited: EditedById, now: number) =>
    ifStanding(partition, edited, restore(partition, edited.id, now)),
  ),
  takeNoteBack: changesByHand('instructions', (partition, edited: EditedById, _now: number) =>
    ifStanding(partition, edited, takeNoteBack(partition, edited.id)),
  ),
  withdraw: changesByHand('instructions', (partition, edited: EditedById, now: number) =>
    ifStanding(partition, edited, withdraw(partition, edited.id, now)),
  ),
}

function ifStanding<Result>(partition: PartitionId, { id, expected }: EditedById, change: Program<Result>): Program<Result> {
  return onVersion({ page: `instruction ${id}`, expected }, instructionVersion(partition, id), change)
}
