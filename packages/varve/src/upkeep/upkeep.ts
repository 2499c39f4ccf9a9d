import type { Clock } from '../clock/clock.ts'
import type { Observer } from '../observe/observer.ts'
import type { Receipt } from '../storage/receipts.ts'

/** The background work of a store, as a query of its state: nothing is queued, so nothing can be lost. */
export interface UpkeepTasks {
  finishErasures(now: number): Promise<{ done: number; reason: string | undefined }>
  pendingErasures(): Promise<readonly (Receipt & { attempts: number; leaseUntil: number })[]>
}

export interface UpkeepStatus {
  /** What waits, by kind. */
  readonly backlog: { readonly erasures: number }
  /** Since when the oldest of it waits: UTC milliseconds. */
  readonly oldestDue?: number
  readonly failures: readonly { readonly kind: 'erasure'; readonly id: string; readonly attempts: number; readonly reason: string }[]
}

export interface UpkeepRunOptions {
  /** Stops beginning new work after this long. Default 60. */
  readonly maxSeconds?: number
}

export interface UpkeepResult {
  readonly erasures: number
  /** True when nothing is left that could be done now. */
  readonly settled: boolean
}

/** How often the background loop looks, at first and at most: it backs off while an erasure is blocked. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** Tries within one run: a reader that holds the log is often gone a moment later. */
const triesPerRun = 5
const pauseBetweenTriesMs = 40

export class Upkeep {
  readonly #tasks: UpkeepTasks
  readonly #clock: Clock
  readonly #observer: Observer
  #timer: NodeJS.Timeout | undefined
  #pauseMs = firstPauseMs
  #running: Promise<UpkeepResult> | undefined
  #stopped = false

  constructor(tasks: UpkeepTasks, clock: Clock, observer: Observer) {
    this.#tasks = tasks
    this.#clock = clock
    this.#observer = observer
  }

  /** Does what is due, within bounds. A run that is already going on is joined. */
  run(options: UpkeepRunOptions = {}): Promise<UpkeepResult> {
    this.#running ??= this.#runOnce(options).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async status(): Promise<UpkeepStatus> {
    const pending = await this.#tasks.pendingErasures()
    const failures = pending.flatMap(({ id, attempts, reason }) => (reason === undefined ? [] : [{ kind: 'erasure' as const, id, attempts, reason }]))
    const [oldest] = pending
    return { backlog: { erasures: pending.length }, ...(oldest === undefined ? {} : { oldestDue: oldest.at }), failures }
  }

  /** Looks now and then, without keeping the process alive. */
  startBackground(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.#tick(), this.#pauseMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #tick(): Promise<void> {
    try {
      const { settled } = await this.run()
      this.#pauseMs = settled ? firstPauseMs : Math.min(this.#pauseMs * 2, longestPauseMs)
    } catch (error) {
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
      this.#observer.warn('UPKEEP_FAILED', error instanceof Error ? error.message : String(error), 'upkeep')
    }
    this.startBackground()
  }

  async #runOnce({ maxSeconds = 60 }: UpkeepRunOptions): Promise<UpkeepResult> {
    const until = performance.now() + maxSeconds * 1_000
    let erasures = 0
    for (let tries = 0; tries < triesPerRun && performance.now() < until; tries += 1) {
      if ((await this.#tasks.pendingErasures()).length === 0) return { erasures, settled: true }
      const { done, reason } = await this.#tasks.finishErasures(this.#clock.now())
      erasures += done
      if (done > 0) {
        this.#observer.count('erased', done)
        this.#observer.emit({ type: 'erased', receipts: done })
      }
      if (reason !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseBetweenTriesMs))
    }
    return { erasures, settled: (await this.#tasks.pendingErasures()).length === 0 }
  }
}
