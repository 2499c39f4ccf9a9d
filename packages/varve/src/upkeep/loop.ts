/** What a turn of background work came to. */
export interface Turn {
  /** True when nothing is left that could be done now. */
  readonly settled: boolean
}

/** How often the loop looks, at first and at most: it backs off while work is blocked. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** How long after a hint it looks: what comes in one go is done in one go. */
const hintPauseMs = 20

/** Looks for work now and then, one turn at a time, without keeping the process alive. */
export class Loop<Result extends Turn> {
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

  /** A turn, of at most so many seconds. One that is already going on is joined. */
  run(maxSeconds: number): Promise<Result> {
    this.#running ??= this.#work(performance.now() + maxSeconds * 1_000, this.#ending.signal).finally(() => {
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
      const { settled } = await this.run(longestPauseMs / 1_000)
      this.#pauseMs = settled ? firstPauseMs : Math.min(this.#pauseMs * 2, longestPauseMs)
    } catch (error) {
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
      if (!this.#ending.signal.aborted) this.#failed(error)
    }
    this.#wait(this.#hinted ? hintPauseMs : this.#pauseMs)
  }
}
