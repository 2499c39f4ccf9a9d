import type { Clock } from '../clock/clock.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { addedWork } from '../storage/log/run-work.ts'
import type { NewRun, PartitionWork } from '../storage/log/runs.ts'

/** The background's work of so long is one run. */
const backgroundRunMs = 60_000

/** A run that is asked for so soon after an unfinished one goes on with it: a caller who runs upkeep in slices has one row. */
const goesOnMs = 2_000

/** A run of upkeep that is under way. */
export interface OpenRun {
  readonly id: string
  readonly isAsked: boolean
  /** What it works on: a run over something else is another run. */
  readonly scope: string
  readonly work: Map<string, PartitionWork>
  beganAt: number
  endedAt: number
  /** The same times by the process's own clock, which nobody sets. */
  begunMs: number
  endedMs: number
  /** The time that it worked: milliseconds. */
  ms: number
}

/**
 * The log of runs. A run is written once, when it ends: a caller's when its call returns, the background's after a minute, when
 * the list is asked for, and at the close. A run that found nothing writes nothing. A crash loses the run that it cut off; its
 * requests to models stand in the ledger.
 */
export class RunLog {
  readonly #write: (run: NewRun) => Promise<void>
  readonly #clock: Clock
  readonly #failed: (error: unknown) => void
  #background: OpenRun | undefined
  #unfinished: OpenRun | undefined

  constructor(write: (run: NewRun) => Promise<void>, clock: Clock, failed: (error: unknown) => void) {
    this.#write = write
    this.#clock = clock
    this.#failed = failed
  }

  /** Gives the run that the background's next turn belongs to. */
  background(): OpenRun {
    return (this.#background ??= this.#open(false, ''))
  }

  /** Begins a run that a caller asks for, or goes on with the one before. */
  asked(scope: string): OpenRun {
    const before = this.#unfinished
    this.#unfinished = undefined
    const goesOn = before !== undefined && before.scope === scope && performance.now() - before.endedMs < goesOnMs
    return goesOn ? before : this.#open(true, scope)
  }

  /** Adds the work of a turn to its run. */
  add(run: OpenRun, work: readonly PartitionWork[], sinceMs: number): void {
    if (work.length === 0) return
    const now = performance.now()
    // The background's run was opened long before there was something to do.
    if (run.work.size === 0 && !run.isAsked) {
      run.begunMs = sinceMs
      run.beganAt = this.#clock.now() - Math.round(now - sinceMs)
    }
    for (const { partition, ...one } of work) {
      const key = `${one.kind} ${partition}`
      run.work.set(key, { partition, ...addedWork(run.work.get(key), one) })
    }
    run.ms += now - sinceMs
    run.endedMs = now
    run.endedAt = this.#clock.now()
  }

  /** Writes a caller's run. */
  async end(run: OpenRun, isSettled: boolean): Promise<void> {
    if (!isSettled) this.#unfinished = run
    await this.#store(run)
  }

  /** Writes the background's run when its minute is over; with `now`, at once. */
  async endBackground(now = false): Promise<void> {
    const run = this.#background
    if (run === undefined || run.work.size === 0 || (!now && performance.now() - run.begunMs < backgroundRunMs)) return
    this.#background = undefined
    await this.#store(run)
  }

  #open(isAsked: boolean, scope: string): OpenRun {
    const at = this.#clock.now()
    return {
      id: uuidv7(at),
      isAsked,
      scope,
      work: new Map(),
      beganAt: at,
      begunMs: performance.now(),
      endedAt: at,
      endedMs: performance.now(),
      ms: 0,
    }
  }

  /** The log holds up no work: a run that cannot be written is told and left out. */
  async #store({ id: run, isAsked, beganAt, endedAt, ms, work }: OpenRun): Promise<void> {
    if (work.size === 0) return
    try {
      await this.#write({ run, isAsked, beganAt, endedAt, ms, work: [...work.values()] })
    } catch (error) {
      this.#failed(error)
    }
  }
}
