import { type DueScope, dueDocuments, dueSession, dueWithin, factsWaiting, notDueWithin } from '../distil/due.ts'
import { dueNotes } from '../notes/read-notes.ts'
import { dueBanks } from '../storage/derived/banks.ts'
import { type DueKind, type ReadingBacklog, readingBacklog } from '../storage/derived/reading.ts'
import { pendingErasures, type Receipt } from '../storage/erase/receipts.ts'
import type { Here } from '../storage/here.ts'
import { costs, type LayerCost } from '../storage/log/ledger.ts'
import { plain } from '../storage/offer.ts'
import { countPendingFacts } from '../storage/pages/page-facts.ts'
import type { Program } from '../storage/program.ts'
import type { WorkTable } from '../storage/schema.ts'
import { failingWork } from '../storage/work.ts'
import { dueBounds, type WaitingSessions, waitingOf } from './waiting.ts'

/** Sessions with notes that are due, counted up to so many. */
const mostCounted = 1_000

/** How far back the cost is told. */
const costMs = 30 * 86_400_000

/** What is looked for in a look that is to be cheap. */
export interface Look {
  /** Bits of the layers that are on where a project says nothing. */
  readonly layers: number
  /** Whether there is a model that may write again what is provisional. */
  readonly canAsk: boolean
  /** Whether all sessions are looked at for layers that were switched on later. */
  readonly lacking: boolean
  /** Notes: talk in which something was recorded since then (UTC milliseconds). */
  readonly since: number
}

/** What waits, as it is stored. */
export interface StoredBacklog {
  readonly erasures: readonly (Receipt & { readonly attempts: number })[]
  readonly reading: ReadingBacklog
  readonly work: readonly WorkTable[]
  /** Sessions whose notes are due. */
  readonly notes: number
  /** What was read of subjects and waits to be worked into documents. */
  readonly edits: number
  readonly costs: readonly LayerCost[]
  readonly waiting: WaitingSessions
}

/** What can be asked of what is due. */
export const upkeepReads = {
  anyDue: (here: Here, look: Look) => anyDue(look, here.now),
  backlog: (here: Here, layers: number) => backlog(layers, here.now),
  waiting: (here: Here, layers: number, only: DueScope | undefined) => waiting(layers, here.now, only),
  dueSession: plain(dueSession),
  factsWaiting: plain(factsWaiting),
}

function* anyDue({ layers, canAsk, lacking, since }: Look, now: number): Program<boolean> {
  const kinds: DueKind[] = ['unread', ...(canAsk ? ['provisional' as const] : []), ...(lacking ? ['lacking' as const] : [])]
  const bounds = dueBounds('background', now, now, layers)
  for (const kind of kinds) if ((yield* dueWithin(kind, bounds, undefined)).length > 0) return true
  if ((yield* dueNotes(layers, { now, since }, 1)).length > 0) return true
  if ((yield* dueDocuments(now, undefined)).length > 0) return true
  return (yield* dueBanks(now, { layers, canAsk, project: undefined }, 1)).length > 0
}

function* backlog(layers: number, now: number): Program<StoredBacklog> {
  return {
    erasures: yield* pendingErasures(),
    reading: yield* readingBacklog(layers),
    work: yield* failingWork(),
    notes: (yield* dueNotes(layers, { now, since: Number.MIN_SAFE_INTEGER }, mostCounted)).length,
    edits: yield* countPendingFacts(),
    costs: yield* costs(now - costMs),
    waiting: yield* waiting(layers, now, undefined),
  }
}

function* waiting(layers: number, now: number, only: DueScope | undefined): Program<WaitingSessions> {
  return waitingOf(yield* notDueWithin(dueBounds('asked', now, now, layers), only))
}
