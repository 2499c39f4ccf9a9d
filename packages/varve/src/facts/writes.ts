import type { PartitionId } from '../scope/partition.ts'
import { changesByHand } from '../storage/journal/told.ts'
import { plain } from '../storage/offer.ts'
import type { Program } from '../storage/program.ts'
import { type EditedById, onVersion } from '../storage/versions.ts'
import { dismissPendingForget } from './pending-forgets.ts'
import { factVersion } from './read-facts.ts'
import { restoreFact, takeMergeBack } from './restore-facts.ts'
import { addFact, type CheckedCorrection, correctFact, mergeEntities, retractFact } from './write-facts.ts'

/** The writes of facts. */
export const factWrites = {
  add: changesByHand('facts', addFact),
  correct: changesByHand('facts', (partition, edited: EditedById, changes: CheckedCorrection, now: number) =>
    ifStanding(partition, edited, correctFact(partition, edited.id, changes, now), now),
  ),
  retract: changesByHand(
    'facts',
    (partition, edited: EditedById, validUntil: number | null, writer: string | undefined, now: number): Program<string> =>
      ifStanding(partition, edited, retractFact(partition, edited.id, validUntil, writer, now), now),
  ),
  merge: changesByHand('facts', mergeEntities),
  restore: changesByHand('facts', (partition, edited: EditedById, now: number) =>
    ifStanding(partition, edited, restoreFact(partition, edited.id, now), now),
  ),
  unmerge: changesByHand('facts', takeMergeBack),
  dismissForget: plain(dismissPendingForget),
}

function ifStanding<Result>(partition: PartitionId, { id, expected }: EditedById, change: Program<Result>, now: number): Program<Result> {
  return onVersion({ page: `fact ${id}`, expected }, factVersion(partition, id, now), change)
}
