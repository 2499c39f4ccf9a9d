import { dueAt, dueDocumentsAt, notDueAt } from '../distil/due.ts'
import { type DueNotes, dueNotesAt } from '../notes/read-notes.ts'
import type { DueBounds, DueKind, DueSession } from '../storage/derived/reading.ts'
import { duePlace, type DueScope } from '../storage/due-place.ts'
import type { PendingPartition } from '../storage/pages/page-facts.ts'
import { abreast, type Program } from '../storage/program.ts'
import { dueBounds, type WaitingSessions, waitingOf } from './waiting.ts'

/** The layer work that is due within a scope, and the sessions that wait there. */
export interface ScopedDue {
  readonly notes: readonly DueNotes[]
  readonly sessions: ReadonlyMap<DueKind, readonly DueSession[]>
  readonly documents: readonly PendingPartition[]
  readonly waiting: WaitingSessions
}

/** The bounds of a look within a scope. */
export interface ScopedBounds {
  readonly kinds: readonly DueKind[]
  readonly bounds: DueBounds
  /** The most sessions in a list of those whose notes are due. */
  readonly notes: number
  /** False where facts are left to the host's own model for a day. */
  readonly hasEditor: boolean
}

/** Looks for all kinds of layer work within a scope, side by side. */
export function* scopedDue(only: DueScope, { kinds, bounds, notes, hasEditor }: ScopedBounds): Program<ScopedDue> {
  const place = yield* duePlace(only)
  if (place === undefined) return { notes: [], sessions: new Map(), documents: [], waiting: { sessions: 0 } }
  const { now, layers } = bounds
  const [noted, documents, left, ...sessions] = yield* abreast([
    dueNotesAt(layers, { now, since: Number.MIN_SAFE_INTEGER }, notes, place),
    dueDocumentsAt(now, place.partition, hasEditor),
    notDueAt(dueBounds('asked', now, now, layers), place),
    ...kinds.map((kind) => dueAt(kind, bounds, place)),
  ])
  const byKind = new Map(kinds.map((kind, at) => [kind, sessions[at] ?? []]))
  return { notes: noted, sessions: byKind, documents, waiting: waitingOf(left) }
}

/**
 * Serves the loops of one turn with one look. A loop that looks again, since it has done something, gets a new one, and so
 * do the loops after it.
 */
export class ScopedLook {
  readonly #look: () => Promise<ScopedDue>
  readonly #served = new Set<DueKind | 'notes' | 'documents'>()
  #found: ScopedDue | undefined

  constructor(look: () => Promise<ScopedDue>) {
    this.#look = look
  }

  /** The waiting sessions; undefined when work was done since the last look. */
  get waiting(): WaitingSessions | undefined {
    return this.#found?.waiting
  }

  async notes(): Promise<readonly DueNotes[]> {
    return (await this.#for('notes')).notes
  }

  async documents(): Promise<readonly PendingPartition[]> {
    return (await this.#for('documents')).documents
  }

  async sessions(kind: DueKind): Promise<readonly DueSession[]> {
    if (this.#found?.sessions.has(kind) === false) this.end()
    return (await this.#for(kind)).sessions.get(kind) ?? []
  }

  /** Drops the last look: something was done, or tried, since. */
  end(): void {
    this.#found = undefined
  }

  async #for(loop: DueKind | 'notes' | 'documents'): Promise<ScopedDue> {
    if (this.#found === undefined || this.#served.has(loop)) {
      this.#found = await this.#look()
      this.#served.clear()
    }
    this.#served.add(loop)
    return this.#found
  }
}
