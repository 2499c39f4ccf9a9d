import { plain, timed } from '../storage/offer.ts'
import { dismissPendingForget } from './pending-forgets.ts'
import { addFact, correctFact, mergeEntities, retractFact } from './write-facts.ts'

/** The writes of facts. */
export const factWrites = {
  add: timed(addFact),
  correct: timed(correctFact),
  retract: timed(retractFact),
  merge: timed(mergeEntities),
  dismissForget: plain(dismissPendingForget),
}
