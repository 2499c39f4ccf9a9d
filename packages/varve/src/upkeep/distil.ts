import type { Distilled, Distiller } from '../distil/distiller.ts'
import type { Limits } from '../distil/limits.ts'
import { dueWithin } from '../distil/due.ts'
import type { DueScope } from '../storage/due-place.ts'
import type { WritingMeans } from '../distil/writing-means.ts'
import type { DueBounds, DueKind, DueSession } from '../storage/derived/reading.ts'
import type { Leases, LeasedWork } from './leased.ts'
import type { UpkeepTurn } from './loop.ts'
import type { ScopedLook } from './scoped-look.ts'
import type { TalliedLimits } from './work-tally.ts'
import { turnOf } from './turns.ts'
import { dueBounds, type Reach } from './waiting.ts'

/** The time between two searches for sessions that lack a layer which was switched on later. A search looks at all sessions. */
const lackingEveryMs = 60_000

/** A session to read. `once` holds the layers (bits) that are wanted of it once, on or off. */
interface SessionToRead extends DueSession {
  readonly once?: number
}

/** Reads sessions that are due. A query finds them; nothing is queued. */
export class DistilUpkeep {
  readonly #means: WritingMeans
  readonly #distiller: Distiller
  readonly #leases: Leases
  readonly #layers: number
  readonly #work: LeasedWork<SessionToRead, Distilled>
  /** The same for sessions to write again, which need the model. */
  readonly #again: LeasedWork<SessionToRead, Distilled>
  #noneLackedAt = Number.NEGATIVE_INFINITY

  constructor(means: WritingMeans, distiller: Distiller, leases: Leases, layers: number) {
    this.#means = means
    this.#distiller = distiller
    this.#leases = leases
    this.#layers = layers
    this.#work = {
      kind: 'session',
      piece: ({ id, partition }) => ({ ref: id, partition }),
      work: ({ id, partition, once }, { holder }, limits) => distiller.distil({ partition, session: id }, holder, limits, once),
      // A reading that came to its end was given back when it was stored.
      giveBack: (became) => (became === 'done' ? undefined : {}),
      progress: (became, { until }) => {
        const isDone = became === 'done'
        return { done: Number(isDone), moved: isDone, ends: !isDone && performance.now() >= until }
      },
    }
    this.#again = { ...this.#work, isSpent: () => !distiller.canAsk }
  }

  /**
   * Reads due sessions until none is due, or the limits come first. When a caller asks for it, all sessions are
   * searched for layers that were switched on later.
   */
  async turn(bounds: TalliedLimits, only: DueScope | undefined, reach: Reach, look?: ScopedLook): Promise<UpkeepTurn> {
    const limits = { ...bounds, mayWait: reach !== 'all' }
    let done = 0
    const boundsNow = this.#bounds(reach)
    for (const kind of this.#kinds(reach !== 'background')) {
      // Without the model only those are written again that waited for their session to settle.
      if ((kind === 'provisional' && !this.#distiller.canAsk) || (kind === 'waited' && this.#distiller.canAsk)) continue
      const work = kind === 'provisional' ? this.#again : this.#work
      const due = (): Promise<readonly DueSession[]> => look?.sessions(kind) ?? this.#means.read(dueWithin(kind, boundsNow(), only))
      const turn = await turnOf(this.#leases, work, due, limits)
      done += turn.done
      if (!turn.settled) look?.end()
      // Once the model is down, the provisional sessions wait: nothing of them can be done now.
      if (!turn.settled && work.isSpent?.(limits) !== true) return { done, settled: false }
      if (kind === 'lacking' && only === undefined) this.#noneLackedAt = performance.now()
    }
    return { done, settled: true }
  }

  /** The kinds of due sessions that a turn within a scope looks for now. */
  get scopedKinds(): readonly DueKind[] {
    return ['unread', this.#distiller.canAsk ? 'provisional' : 'waited', 'lacking']
  }

  /** Reads one session now, due or not. `once` adds layers (bits), on or off. False when another process is reading it. */
  async session(due: DueSession, limits: Limits, once = 0): Promise<boolean> {
    return (await this.#leases.leased(this.#work, { ...due, once }, limits)) === 'done'
  }

  #kinds(isAskedFor: boolean): DueKind[] {
    const lacks = isAskedFor || performance.now() - this.#noneLackedAt > lackingEveryMs
    return ['unread', 'provisional', 'waited', ...(lacks ? ['lacking' as const] : [])]
  }

  #bounds(reach: Reach): () => DueBounds {
    const begunAt = this.#means.clock.now()
    return () => dueBounds(reach, this.#means.clock.now(), begunAt, this.#layers)
  }
}
