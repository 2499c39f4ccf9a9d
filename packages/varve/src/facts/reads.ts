import { shownAt, plain, timed } from '../storage/offer.ts'
import { listPendingForgets, tellPendingForget } from './pending-forgets.ts'
import { factHistory, factsAround, queryFacts, tellFact } from './read-facts.ts'
import { listMerges } from './restore-facts.ts'

/** The reads of facts. */
export const factReads = {
  query: shownAt(queryFacts),
  around: shownAt(factsAround),
  history: timed(factHistory),
  merges: timed(listMerges),
  tell: timed(tellFact),
  pendingForgets: plain(listPendingForgets),
  pendingForget: plain(tellPendingForget),
}
