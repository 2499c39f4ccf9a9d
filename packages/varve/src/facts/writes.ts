import { changesByHand } from '../storage/journal/told.ts'
import { plain } from '../storage/offer.ts'
import { dismissPendingForget } from './pending-forgets.ts'
import { restoreFact, takeMergeBack } from './restore-facts.ts'
import { addFact, correctFact, mergeEntities, retractFact } from './write-facts.ts'

/** The writes of facts. */
export const factWrites = {
  add: changesByHand('facts', addFact),
  correct: changesByHand('facts', correctFact),
  retract: changesByHand('facts', retractFact),
  merge: changesByHand('facts', mergeEntities),
  restore: changesByHand('facts', restoreFact),
  unmerge: changesByHand('facts', takeMergeBack),
  dismissForget: plain(dismissPendingForget),
}
