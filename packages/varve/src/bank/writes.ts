import type { PartitionId } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { changesByHand } from '../storage/journal/told.ts'
import type { EditedById } from '../storage/versions.ts'
import { restoreChange } from './restore-entries.ts'
import { clearInTurns, correct, deleteInTurns, pin, rebuildInTurns } from './change-bank.ts'

/** The writes of banks. */
export const bankWrites = {
  pin: changesByHand('bank', pin),
  correct: changesByHand('bank', correct),
  delete: (here: WritingHere, partition: PartitionId, edited: EditedById, isForgetting: boolean) =>
    deleteInTurns(here, partition, edited, isForgetting),
  clear: (here: WritingHere, partition: PartitionId, isForgetting: boolean) => clearInTurns(here, partition, { isForgetting }),
  withdraw: (here: WritingHere, partition: PartitionId, member: PartitionId) =>
    clearInTurns(here, partition, { isForgetting: true, member }),
  rebuild: rebuildInTurns,
  restore: changesByHand('bank', restoreChange),
}
