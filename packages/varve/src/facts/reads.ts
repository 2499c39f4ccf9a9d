import { plain, timed } from '../storage/offer.ts'
import { listPendingForgets, tellPendingForget } from './pending-forgets.ts'
import { factHistory, factsAround, queryFacts, tellFact } from './read-facts.ts'

/** The reads of facts. */
export const factReads = {
  query: plain(queryFacts),
  around: plain(factsAround),
  history: timed(factHistory),
  tell: timed(tellFact),
  pendingForgets: plain(listPendingForgets),
  pendingForget: plain(tellPendingForget),
}
