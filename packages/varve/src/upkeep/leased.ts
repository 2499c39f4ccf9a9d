import type { Limits } from '../distil/limits.ts'
import { leaseMs } from '../distil/writes.ts'
import type { Told, WritingMeans } from '../distil/writing-means.ts'
import { storedReason } from '../errors/stored-reason.ts'
import { type ErrorCode, VarveError } from '../errors/varve-error.ts'
import { ownReason } from '../errors/wordless.ts'
import type { GivenBack, PieceOfWork } from '../storage/claims.ts'
import type { WorkKind } from '../storage/work.ts'
import type { TalliedLimits } from './work-tally.ts'

/** A piece of work that is held. */
export interface Held {
  /** The name under which it is held. */
  readonly holder: string
  /** The number of failures in a row before this try. */
  readonly attempts: number
  /** Holds it for longer; false when another took it meanwhile. */
  again(): Promise<boolean>
}

/** The result of one piece of work, as a turn sees it. */
export interface Progress {
  /** The amount done, as the turn counts it. */
  readonly done: number
  /** True when the work got further: the turn goes on to look for more. */
  readonly moved: boolean
  /** True when the limits came first: the turn ends here. */
  readonly ends: boolean
}

/** One kind of work that is done under a lease: how it is found, done and given back. */
export interface LeasedWork<Due, Result> {
  readonly kind: WorkKind
  readonly piece: (due: Due) => PieceOfWork
  readonly work: (due: Due, held: Held, limits: Limits) => Promise<Result>
  /** Tells how to give a finished piece back; undefined when the store did that with the result. */
  readonly giveBack: (result: Result) => GivenBack | undefined
  /** Reads the progress from a result; undefined when another holds the piece. */
  readonly progress: (result: Result | undefined, limits: Limits) => Progress
  /** Runs after a finished piece is given back. */
  readonly released?: (due: Due) => Promise<void> | undefined
  /** Tells whether nothing may begin any more, for a reason beside the time and the signal. */
  readonly isSpent?: (limits: Limits) => boolean
}

/** The writes that take leases and give them back. */
type LeaseWrites = Pick<WritingMeans['write'], 'claim' | 'release'>

/** The renewals within a lease. */
const renewals = 3

/** Errors that no other piece of work would be spared: those of the store, of its threads, of the call and of the model. */
const ending: ReadonlySet<ErrorCode> = new Set([
  'BUDGET_EXCEEDED',
  'CANCELLED',
  'DEADLINE_EXCEEDED',
  'DISK_FULL',
  'ENGINE_INTERRUPTED',
  'ENGINE_OVERLOADED',
  'MEMORY_CLOSED',
  'MODEL_FAILED',
  'PACKAGE_FILE_MISSING',
  'SCHEMA_TOO_NEW',
  'STORE_BUSY',
  'STORE_DAMAGED',
  'STORE_FAILED',
  'STORE_FOREIGN',
  'STORE_GONE',
  'STORE_READ_ONLY',
  'STORE_UNREACHABLE',
])

/** Does pieces of work under leases, each under a holder's name of its own. */
export class Leases {
  readonly #write: LeaseWrites
  readonly #holder: string
  readonly #told: Pick<Told, 'warn'>
  #claims = 0

  constructor(write: LeaseWrites, holder: string, told: Pick<Told, 'warn'>) {
    this.#write = write
    this.#holder = holder
    this.#told = told
  }

  /**
   * Does one piece of a run of upkeep. `failed` when it failed for what it is itself, such as odd data of one owner: it is
   * put off and told, and the run goes on with the others. Work that a caller asked for throws the error to the caller.
   */
  async tried<Due, Result>(
    of: LeasedWork<Due, Result>,
    due: Due,
    limits: TalliedLimits,
  ): Promise<{ readonly result: Result | undefined } | 'failed'> {
    try {
      return { result: await this.leased(of, due, limits) }
    } catch (error) {
      const isOfAll = limits.signal.aborted || (VarveError.is(error) && ending.has(error.code))
      if (limits.tally === undefined || isOfAll) throw error
      const reason = ownReason(error)
      this.#told.warn('UPKEEP_FAILED', `a piece of work (${of.kind}) was put off: ${reason}`, `upkeep ${of.kind} ${reason}`)
      return 'failed'
    }
  }

  /** Does work and renews its lease meanwhile: a call of a slow model may take longer than a lease. */
  async #renewed<Result>({ again }: Held, work: () => Promise<Result>): Promise<Result> {
    // A claim that fails is no failure of the work: what it stores is refused if another took the piece.
    const timer = setInterval(() => void again().catch(() => clearInterval(timer)), leaseMs / renewals).unref()
    try {
      return await work()
    } finally {
      clearInterval(timer)
    }
  }

  /** Does one piece of work; undefined when another is doing it. A failed piece is put off, unless the signal was aborted. */
  async leased<Due, Result>(of: LeasedWork<Due, Result>, due: Due, limits: TalliedLimits): Promise<Result | undefined> {
    const { kind } = of
    const place = of.piece(due)
    // The loop of this process and a caller who wants the piece now keep apart, as two processes do.
    this.#claims += 1
    const holder = `${this.#holder}/${this.#claims}`
    const claim = (): Promise<number | undefined> => this.#write.claim(kind, place, holder)
    const attempts = await claim()
    if (attempts === undefined) return undefined
    const failed = limits.tally === undefined ? undefined : limits.tally.failing(kind, place)
    try {
      const own = failed === undefined ? limits : { ...limits, failed: (reason: string) => failed({ code: 'MODEL_FAILED', reason }) }
      const held: Held = { holder, attempts, again: async () => (await claim()) !== undefined }
      const result = await this.#renewed(held, () => of.work(due, held, own))
      const back = of.giveBack(result)
      if (back?.reason !== undefined) own.failed?.(back.reason)
      if (back !== undefined) await this.#write.release(kind, place.ref, holder, back)
      await of.released?.(due)
      return result
    } catch (error) {
      const reason = storedReason(error)
      if (!limits.signal.aborted) failed?.(reason)
      await this.#write.release(kind, place.ref, holder, limits.signal.aborted ? {} : { reason: reason.reason })
      throw error
    }
  }
}
