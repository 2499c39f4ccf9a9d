import type { Distiller, Limits } from '../distil/distiller.ts'
import { type DueScope, dueWithin } from '../distil/due.ts'
import type { LayerGround } from '../distil/layer-ground.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { DueBounds, DueKind, DueSession } from '../storage/derived/reading.ts'
import type { Turn } from './loop.ts'
import { dueBounds, type Reach } from './waiting.ts'

/** How often it is looked for sessions that lack a layer which was switched on later: all of them are looked at. */
const lackingEveryMs = 60_000

/** Reads sessions that are due. What is due is a query; nothing is queued. */
export class DistilUpkeep {
  readonly #ground: LayerGround
  readonly #distiller: Distiller
  readonly #holder: string
  readonly #layers: number
  #claims = 0
  #noneLackedAt = Number.NEGATIVE_INFINITY

  constructor(ground: LayerGround, distiller: Distiller, own: { holder: string; layers: number }) {
    this.#ground = ground
    this.#distiller = distiller
    this.#holder = own.holder
    this.#layers = own.layers
  }

  /**
   * Reads what is due until nothing is, or the limits come first. Who asks for it has all sessions looked at, also
   * for layers that were switched on later.
   */
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

  /**
   * One session, now: whether it is due or not, and for some layers (bits) whether they are on or not. False when
   * somebody else is at it.
   */
  async session(due: DueSession, limits: Limits, once = 0): Promise<boolean> {
    // One's own loop and one who asks for a session now keep out of each other's way as two processes do.
    this.#claims += 1
    const holder = `${this.#holder}/${this.#claims}`
    if (!(await this.#ground.write.claimSession(due, holder))) return false
    try {
      const became = await this.#distiller.distil(due.id, holder, limits, once)
      if (became !== 'done') await this.#ground.write.releaseSession(due.id, holder)
      return became === 'done'
    } catch (error) {
      await this.#ground.write.releaseSession(due.id, holder, limits.signal.aborted ? undefined : reasonOf(error))
      throw error
    }
  }

  #kinds(isAskedFor: boolean): DueKind[] {
    const lacks = isAskedFor || performance.now() - this.#noneLackedAt > lackingEveryMs
    return ['unread', ...(this.#distiller.canAsk ? ['provisional' as const] : []), ...(lacks ? ['lacking' as const] : [])]
  }

  #bounds(reach: Reach): () => DueBounds {
    const begunAt = this.#ground.clock.now()
    return () => dueBounds(reach, this.#ground.clock.now(), begunAt, this.#layers)
  }

  async #all(kind: DueKind, limits: Limits, only: DueScope | undefined, boundsNow: () => DueBounds): Promise<Turn> {
    let done = 0
    for (;;) {
      const due = await this.#ground.read(dueWithin(kind, boundsNow(), only))
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
