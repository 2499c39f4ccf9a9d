import type { PartitionId } from '../scope/partition.ts'
import { bankBounds } from '../storage/bank/bank-turns.ts'
import type { WritingHere } from '../storage/here.ts'
import { plain, timed } from '../storage/offer.ts'
import { clearInTurns, correct, deleteInTurns, pin, rebuildInTurns } from './change-bank.ts'

/** The writes of banks. */
export const bankWrites = {
  pin: plain(pin),
  correct: timed(correct),
  delete: deleteInTurns,
  clear: (here: WritingHere, partition: PartitionId) => clearInTurns(here, partition),
  withdraw: (here: WritingHere, partition: PartitionId, member: PartitionId) => clearInTurns(here, partition, bankBounds, member),
  rebuild: rebuildInTurns,
}
