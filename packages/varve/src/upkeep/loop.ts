/** What a turn of background work came to. */
export interface UpkeepTurn {
  /** True when nothing is left that could be done now. */
  readonly settled: boolean
  /** How much was done. */
  readonly done: number
}

/** How often the loop looks, at first and at most: it backs off while work is blocked. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** How long a turn of the background is: a run that somebody asks for waits for no more. */
const backgroundSeconds = 1

/** How long after a hint it looks: what comes in one go is done in one go. */
const hintPauseMs = 20

/** Looks for work now and then, one turn at a time, without keeping the process alive. */
export class Loop<Result extends UpkeepTurn> {
  readonly #work: (until: number, signal: AbortSignal) => Promise<Result>
  readonly #failed: (error: unknown) => void
  readonly #ending = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #pauseMs = firstPauseMs
  #running: Promise<Result> | undefined
  #isBackground = false
  #hinted = false

  /** `work` begins nothing new after `until` (milliseconds of performance.now), or once the signal is aborted. */
  constructor(work: (until: number, signal: AbortSignal) => Promise<Result>, failed: (error: unknown) => void) {
    this.#work = work
    this.#failed = failed
  }

  /**
   * A turn of its own, of at most so many seconds, after the one that is going on: what that found may be older than
   * the call. `work` may be bounded more than the loop's own.
   */
  async run(maxSeconds: number, work = this.#work): Promise<Result> {
    const until = performance.now() + maxSeconds * 1_000
    // How that one ended is told where it was begun.
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

  /** There may be something to do: looks soon, if it runs in the background. */
  hint(): void {
    if (!this.#isBackground || this.#hinted) return
    this.#hinted = true
    if (this.#running === undefined) this.#wait(hintPauseMs)
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    clearTimeout(this.#timer)
    // How it ended is told where it was begun.
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
      const { settled, done } = await this.run(backgroundSeconds)
      this.#pauseMs = settled ? firstPauseMs : done > 0 ? 0 : Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs)
    } catch (error) {
      this.#pauseMs = Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs)
      if (!this.#ending.signal.aborted) this.#failed(error)
    }
    this.#wait(this.#hinted ? Math.min(hintPauseMs, this.#pauseMs) : this.#pauseMs)
  }
}
