import { plain } from '../storage/offer.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { WritingHere } from '../storage/here.ts'
import { applyNext, beginApplying } from './apply/apply-import.ts'
import { beginImport, dropInTurns, endStaging, importOf, stageLines } from './staging.ts'

/** The writes of an import. */
export const transferWrites = {
  begin: beginImport,
  stage: stageLines,
  end: plain(endStaging),
  accept: plain(beginApplying),
  apply: applyNext,
  discard: async (here: WritingHere, partition: PartitionId, id: string): Promise<void> => {
    await here.read(importOf(partition, id))
    await dropInTurns(here, id)
  },
}
