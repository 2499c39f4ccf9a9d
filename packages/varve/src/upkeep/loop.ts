/** The result of a turn of background work. */
export interface UpkeepTurn {
  /** True when nothing is left that could be done now. */
  readonly settled: boolean
  /** The amount of work done. */
  readonly done: number
}

/** The first and the longest pause of the loop: it backs off while work is blocked. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** The length of a background turn. A run that a caller asks for waits no longer than that. */
const backgroundSeconds = 1

/** The pause after a hint: work that comes together is done together. */
const hintPauseMs = 20

/** Looks for work now and then, one turn at a time, without keeping the process alive. */
export class Loop<Result extends UpkeepTurn> {
  readonly #work: (until: number, signal: AbortSignal) => Promise<Result>
  readonly #failed: (error: unknown) => void
  readonly #told: (turn: Result, sinceMs: number) => void
  readonly #ending = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #pauseMs = firstPauseMs
  #running: Promise<Result> | undefined
  #isBackground = false
  #hinted = false

  /**
   * `work` begins nothing new after `until` (milliseconds of performance.now), or once the signal is aborted. `told` gets
   * each turn of the background, with the time when it began.
   */
  constructor(
    work: (until: number, signal: AbortSignal) => Promise<Result>,
    failed: (error: unknown) => void,
    told: (turn: Result, sinceMs: number) => void = () => undefined,
  ) {
    this.#work = work
    this.#failed = failed
    this.#told = told
  }

  /**
   * Runs a turn of its own, of at most so many seconds, after the one under way: that one may have missed newer work.
   * `work` may have tighter bounds than the loop's own.
   */
  async run(maxSeconds: number, work = this.#work): Promise<Result> {
    const until = performance.now() + maxSeconds * 1_000
    // A failure of that turn is reported where it was begun.
    while (this.#running !== undefined) await Promise.allSettled([this.#running])
    this.#running = work(until, this.#ending.signal).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  startBackground(): void {
    this.#isBackground = true
    this.#wait(this.#pauseMs)
  }

  /** Looks soon, if it runs in the background, since there may be work. */
  hint(): void {
    if (!this.#isBackground || this.#hinted) return
    this.#hinted = true
    if (this.#running === undefined) this.#wait(hintPauseMs)
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    clearTimeout(this.#timer)
    // A failure of it is reported where it was begun.
    await Promise.allSettled([this.#running])
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#ending.signal.aborted) return
    this.#timer = setTimeout(() => void this.#tick(), ms)
    this.#timer.unref()
  }

  async #tick(): Promise<void> {
    this.#hinted = false
    try {
      const since = performance.now()
      const turn = await this.run(backgroundSeconds)
      this.#told(turn, since)
      const { settled, done } = turn
      this.#pauseMs = settled ? firstPauseMs : done > 0 ? 0 : Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs)
    } catch (error) {
      this.#pauseMs = Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs)
      if (!this.#ending.signal.aborted) this.#failed(error)
    }
    this.#wait(this.#hinted ? Math.min(hintPauseMs, this.#pauseMs) : this.#pauseMs)
  }
}
