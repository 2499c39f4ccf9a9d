import type { Limits } from '../distil/distiller.ts'
import type { LayerGround } from '../distil/layer-ground.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { GivenBack, PieceOfWork } from '../storage/claims.ts'
import type { WorkKind } from '../storage/work.ts'

/** A piece of work that is held. */
export interface Held {
  /** The name under which it is held. */
  readonly holder: string
  /** How often in a row it failed before. */
  readonly attempts: number
  /** Holds it for longer; false when another took it meanwhile. */
  again(): Promise<boolean>
}

/** What a piece came to, as a turn sees it. */
export interface Progress {
  /** How much was done, as the turn counts it. */
  readonly done: number
  /** Something came of it: the turn goes on to look for more. */
  readonly moved: boolean
  /** The limits came first: the turn ends here. */
  readonly ends: boolean
}

/** One kind of work that is done under a lease: what is due, how it is done, how it is given back. */
export interface LeasedWork<Due, Result> {
  readonly kind: WorkKind
  readonly piece: (due: Due) => PieceOfWork
  readonly work: (due: Due, held: Held, limits: Limits) => Promise<Result>
  /** How a piece is given back that came to a result; undefined when that was done where the result was stored. */
  readonly giveBack: (result: Result) => GivenBack | undefined
  /** Undefined: another holds the piece. */
  readonly progress: (result: Result | undefined, limits: Limits) => Progress
  /** Done once a piece that came to a result is given back. */
  readonly released?: (due: Due) => Promise<void> | undefined
  /** Whether nothing may be begun any more, beside the time and the signal. */
  readonly isSpent?: (limits: Limits) => boolean
}

/** How leases are taken and given back where the store is written. */
type LeaseWrites = Pick<LayerGround['write'], 'claim' | 'release'>

/** Does pieces of work under leases, each under a holder's name of its own. */
export class Leases {
  readonly #write: LeaseWrites
  readonly #holder: string
  #claims = 0

  constructor(write: LeaseWrites, holder: string) {
    this.#write = write
    this.#holder = holder
  }

  /** Does one piece of work; undefined when another is at it. What throws is put off, unless the signal was aborted. */
  async leased<Due, Result>(of: LeasedWork<Due, Result>, due: Due, limits: Limits): Promise<Result | undefined> {
    const { kind } = of
    const place = of.piece(due)
    // This process's loop and a caller who asks for the piece now keep out of each other's way as two processes do.
    this.#claims += 1
    const holder = `${this.#holder}/${this.#claims}`
    const claim = (): Promise<number | undefined> => this.#write.claim(kind, place, holder)
    const attempts = await claim()
    if (attempts === undefined) return undefined
    try {
      const result = await of.work(due, { holder, attempts, again: async () => (await claim()) !== undefined }, limits)
      const back = of.giveBack(result)
      if (back !== undefined) await this.#write.release(kind, place.ref, holder, back)
      await of.released?.(due)
      return result
    } catch (error) {
      await this.#write.release(kind, place.ref, holder, limits.signal.aborted ? {} : { reason: reasonOf(error) })
      throw error
    }
  }
}

/** The reason as the store keeps it: nothing of a provider's own words. */
function reasonOf(error: unknown): string {
  return VarveError.is(error) ? error.code : 'UNEXPECTED'
}
