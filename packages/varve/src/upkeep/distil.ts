import type { Clock } from '../clock/clock.ts'
import type { DueScope } from '../distil/due.ts'
import type { DistilTasks } from '../distil/distil-tasks.ts'
import { type Distiller, leaseMs, type Limits } from '../distil/distiller.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { DueBounds, DueKind, DueSession } from '../storage/derived/reading.ts'
import type { Turn } from './loop.ts'
import { dueBounds, type Reach } from './waiting.ts'

/** What distilling as upkeep needs of a store. */
export interface DueTasks extends DistilTasks {
  dueSessions(kind: DueKind, bounds: DueBounds, only: DueScope | undefined): Promise<readonly DueSession[]>
  claimSession(session: DueSession, holder: string, now: number, until: number): Promise<boolean>
  /** Gives a session back; with a reason it is put off. */
  releaseSession(session: number, holder: string, now: number, reason?: string): Promise<void>
}

/** How often it is looked for sessions that lack a layer which was switched on later: all of them are looked at. */
const lackingEveryMs = 60_000

/** Reads sessions that are due. What is due is a query; nothing is queued. */
export class DistilUpkeep {
  readonly #tasks: DueTasks
  readonly #distiller: Distiller
  readonly #clock: Clock
  readonly #holder: string
  readonly #layers: number
  #claims = 0
  #noneLackedAt = Number.NEGATIVE_INFINITY

  constructor(tasks: DueTasks, distiller: Distiller, clock: Clock, own: { holder: string; layers: number }) {
    this.#tasks = tasks
    this.#distiller = distiller
    this.#clock = clock
    this.#holder = own.holder
    this.#layers = own.layers
  }

  /** Reads what is due until nothing is, or the limits come first. Who asks for it has all sessions looked at, also for layers that were switched on later. */
  async turn(limits: Limits, only: DueScope | undefined, reach: Reach): Promise<Turn> {
    let done = 0
    const boundsNow = this.#bounds(reach)
    for (const kind of this.#kinds(reach !== 'background')) {
      const turn = await this.#all(kind, limits, only, boundsNow)
      done += turn.done
      if (!turn.settled) return { done, settled: false }
    }
    return { done, settled: true }
  }

  /** One session, now: whether it is due or not, and for some layers (bits) whether they are on or not. False when somebody else is at it. */
  async session(due: DueSession, limits: Limits, once = 0): Promise<boolean> {
    const now = this.#clock.now()
    // One's own loop and one who asks for a session now keep out of each other's way as two processes do.
    this.#claims += 1
    const holder = `${this.#holder}/${this.#claims}`
    if (!(await this.#tasks.claimSession(due, holder, now, now + leaseMs))) return false
    try {
      const became = await this.#distiller.distil(due.id, holder, limits, once)
      if (became !== 'done') await this.#tasks.releaseSession(due.id, holder, this.#clock.now())
      return became === 'done'
    } catch (error) {
      await this.#tasks.releaseSession(due.id, holder, this.#clock.now(), limits.signal.aborted ? undefined : reasonOf(error))
      throw error
    }
  }

  #kinds(isAskedFor: boolean): DueKind[] {
    const lacks = isAskedFor || performance.now() - this.#noneLackedAt > lackingEveryMs
    return ['unread', ...(this.#distiller.canAsk ? ['provisional' as const] : []), ...(lacks ? ['lacking' as const] : [])]
  }

  #bounds(reach: Reach): () => DueBounds {
    const begunAt = this.#clock.now()
    return () => dueBounds(reach, this.#clock.now(), begunAt, this.#layers)
  }

  async #all(kind: DueKind, limits: Limits, only: DueScope | undefined, boundsNow: () => DueBounds): Promise<Turn> {
    let done = 0
    for (;;) {
      const due = await this.#tasks.dueSessions(kind, boundsNow(), only)
      if (due.length === 0) {
        if (kind === 'lacking' && only === undefined) this.#noneLackedAt = performance.now()
        return { done, settled: true }
      }
      const before = done
      for (const session of due) {
        if (limits.signal.aborted || (done > 0 && performance.now() >= limits.until)) return { done, settled: false }
        if (await this.session(session, limits)) done += 1
        else if (performance.now() >= limits.until) return { done, settled: false }
      }
      // Held by others, changed while it was read, or over the limits: another turn looks again.
      if (done === before) return { done, settled: false }
    }
  }
}

/** What may stand in the store: nothing of a provider's own words. */
function reasonOf(error: unknown): string {
  return error instanceof VarveError ? error.code : 'UNEXPECTED'
}
