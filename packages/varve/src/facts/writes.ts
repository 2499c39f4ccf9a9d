import { timed } from '../storage/offer.ts'
import { addFact, correctFact, mergeEntities, retractFact } from './write-facts.ts'

/** What can be changed of facts. */
export const factWrites = { add: timed(addFact), correct: timed(correctFact), retract: timed(retractFact), merge: timed(mergeEntities) }
