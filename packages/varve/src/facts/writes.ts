import { plain, timed } from '../storage/offer.ts'
import { dismissPendingForget } from './pending-forgets.ts'
import { restoreFact, takeMergeBack } from './restore-facts.ts'
import { addFact, correctFact, mergeEntities, retractFact } from './write-facts.ts'

/** The writes of facts. */
export const factWrites = {
  add: timed(addFact),
  correct: timed(correctFact),
  retract: timed(retractFact),
  merge: timed(mergeEntities),
  restore: timed(restoreFact),
  unmerge: timed(takeMergeBack),
  dismissForget: plain(dismissPendingForget),
}
