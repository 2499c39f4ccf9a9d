import type { PartitionId } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { timed } from '../storage/offer.ts'
import { restoreChange } from './restore-entries.ts'
import { clearInTurns, correct, deleteInTurns, pin, rebuildInTurns } from './change-bank.ts'

/** The writes of banks. */
export const bankWrites = {
  pin: timed(pin),
  correct: timed(correct),
  delete: (here: WritingHere, partition: PartitionId, id: string, isForgetting: boolean) =>
    deleteInTurns(here, partition, id, isForgetting),
  clear: (here: WritingHere, partition: PartitionId, isForgetting: boolean) => clearInTurns(here, partition, { isForgetting }),
  withdraw: (here: WritingHere, partition: PartitionId, member: PartitionId) =>
    clearInTurns(here, partition, { isForgetting: true, member }),
  rebuild: rebuildInTurns,
  restore: timed(restoreChange),
}
