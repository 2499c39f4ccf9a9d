import { dueDocuments, dueSession, dueWithin, factsWaiting, notDueWithin } from '../distil/due.ts'
import { embeddingsDue } from '../index/embedding-work.ts'
import { isFarDue } from '../index/far-work.ts'
import type { DueScope } from '../storage/due-place.ts'
import { dueNotes } from '../notes/read-notes.ts'
import { dueBanks } from '../storage/derived/banks.ts'
import { type DueKind, type ReadingBacklog, readingBacklog } from '../storage/derived/reading.ts'
import { pendingErasures, type Receipt } from '../storage/erase/receipts.ts'
import type { Here } from '../storage/here.ts'
import { upkeepRuns } from '../storage/log/runs.ts'
import { plain } from '../storage/offer.ts'
import { countPendingFacts } from '../storage/pages/page-facts.ts'
import { abreast, answer, type Program } from '../storage/program.ts'
import type { WorkTable } from '../storage/schema.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import { failingWork } from '../storage/work.ts'
import type { CostKey, CostRange, Costs, LayerCost } from './costs.ts'
import { dueBounds, type WaitingSessions, waitingOf } from './waiting.ts'

/** Sessions with due notes are counted up to this number. */
const mostCounted = 1_000

/** The period over which the cost is told. */
const costMs = 30 * 86_400_000

/** The bounds of a cheap look for work. */
export interface Look {
  /** Bits of the layers that are on unless a project says otherwise. */
  readonly layers: number
  /** True when a model can rewrite provisional items. */
  readonly canAsk: boolean
  /** True to search all sessions for layers that were switched on later. */
  readonly lacking: boolean
  /** Notes: only talk in which something was recorded since then (UTC milliseconds). */
  readonly since: number
  /** Vectors that may be made now; undefined where none may. */
  readonly embedding: WantedVectors | undefined
}

/** The vectors that a process makes. */
export interface WantedVectors {
  /** The model; undefined before it has told who it is. */
  readonly maker: VectorMaker | undefined
  readonly holder: string
  readonly outdatedAfterMs: number
}

/** The kinds of work that a look found. */
export interface DueWork {
  readonly erasures: boolean
  readonly embeddings: boolean
  readonly layers: boolean
}

/** The waiting work, as it is stored. */
export interface StoredBacklog {
  readonly erasures: readonly (Receipt & { readonly attempts: number })[]
  readonly reading: ReadingBacklog
  readonly work: readonly WorkTable[]
  /** The number of sessions whose notes are due. */
  readonly notes: number
  /** The number of facts that wait to be worked into documents. */
  readonly edits: number
  readonly costs: readonly LayerCost[]
  readonly waiting: WaitingSessions
}

/** The reads on due work. */
export const upkeepReads = {
  dueWork: (here: Here, look: Look) => dueWork(here, look),
  backlog: async (here: Here, layers: number): Promise<StoredBacklog> => {
    const { costs } = await import('./costs.ts')
    const range = { project: undefined, from: here.now - costMs, to: Number.MAX_SAFE_INTEGER }
    const { parts } = await costs(here, range, ['layer'])
    return { ...(await here.read(backlog(layers, here.now))), costs: parts.map((part) => ({ ...part, layer: part.layer ?? 'other' })) }
  },
  costs: async (here: Here, range: CostRange, by: readonly CostKey[]): Promise<Costs> =>
    (await import('./costs.ts')).costs(here, range, by),
  waiting: (here: Here, layers: number, only: DueScope | undefined) => waiting(layers, here.now, only),
  dueSession: plain(dueSession),
  factsWaiting: plain(factsWaiting),
  runs: plain(upkeepRuns),
}

/** Looks for all kinds of work side by side: where nothing is due, in one round trip. */
function* dueWork(here: Here, { layers, canAsk, lacking, since, embedding }: Look): Program<DueWork> {
  const { now } = here
  const kinds: DueKind[] = ['unread', canAsk ? 'provisional' : 'waited', ...(lacking ? ['lacking' as const] : [])]
  const bounds = dueBounds('background', now, now, layers)
  const [erasures, embeddings, far, ...found] = yield* abreast([
    someOf(pendingErasures()),
    embedding === undefined ? answer(false) : embeddingsDue(embedding.maker, embedding.holder, now, now - embedding.outdatedAfterMs),
    isFarDue(here, embedding?.maker),
    ...kinds.map((kind) => someOf(dueWithin(kind, bounds, undefined))),
    someOf(dueNotes(layers, { now, since }, 1)),
    someOf(dueDocuments(now, undefined, canAsk)),
    someOf(dueBanks(now, { layers, canAsk, project: undefined }, 1)),
  ])
  return { erasures, embeddings: embeddings || far, layers: found.includes(true) }
}

function* someOf(list: Program<readonly unknown[]>): Program<boolean> {
  return (yield* list).length > 0
}

function* backlog(layers: number, now: number): Program<Omit<StoredBacklog, 'costs'>> {
  return {
    erasures: yield* pendingErasures(),
    reading: yield* readingBacklog(layers),
    work: yield* failingWork(),
    notes: (yield* dueNotes(layers, { now, since: Number.MIN_SAFE_INTEGER }, mostCounted)).length,
    edits: yield* countPendingFacts(),
    waiting: yield* waiting(layers, now, undefined),
  }
}

function* waiting(layers: number, now: number, only: DueScope | undefined): Program<WaitingSessions> {
  return waitingOf(yield* notDueWithin(dueBounds('asked', now, now, layers), only))
}
