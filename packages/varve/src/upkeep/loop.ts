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

/**
 * Each process takes its own share of a growing pause, between this and one: those that were started together do not look
 * together for ever.
 */
const leastShare = 0.75

/** A pause that nothing but a wake or a hint ends. */
export const untilWoken = Number.POSITIVE_INFINITY

/** How a loop rests while there is nothing to do. */
export interface Rest {
  /** Its longest pause: milliseconds, or `untilWoken`. It begins with a short one, which grows up to that. */
  readonly longestMs: number
  /** A number of this process, from 0 to 1, that tells its share of a pause. */
  readonly share: number
}

const steadyRest: Rest = { longestMs: firstPauseMs, share: 1 }

/** The length of a background turn. A run that a caller asks for waits no longer than that. */
const backgroundSeconds = 1

/** The pause after a hint: work that comes together is done together. */
const hintPauseMs = 20

/** Looks for work now and then, one turn at a time, without keeping the process alive. */
export class Loop<Result extends UpkeepTurn> {
  readonly #work: (until: number, signal: AbortSignal) => Promise<Result>
  readonly #failed: (error: unknown) => void
  readonly #told: (turn: Result, sinceMs: number) => void
  readonly #rest: Rest
  readonly #ending = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #pauseMs = firstPauseMs
  #running: Promise<Result> | undefined
  #isBackground = false
  /** True while it waits because there was nothing to do. */
  #isResting = false
  #hinted = false

  /**
   * `work` begins nothing new after `until` (milliseconds of performance.now), or once the signal is aborted. `told` gets
   * each turn of the background, with the time when it began.
   */
  constructor(
    work: (until: number, signal: AbortSignal) => Promise<Result>,
    failed: (error: unknown) => void,
    told: (turn: Result, sinceMs: number) => void = () => undefined,
    rest = steadyRest,
  ) {
    this.#work = work
    this.#failed = failed
    this.#told = told
    this.#rest = rest
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
    this.#isResting = true
    if (this.#rest.longestMs !== untilWoken) this.#wait(this.#pauseMs)
  }

  /** Looks at once when it rests. After a failure it keeps its pause. */
  wake(): void {
    if (this.#isResting) this.#wait(0)
  }

  /** Ends a pause that has grown while nothing happened: something did. */
  stir(): void {
    if (this.#running !== undefined) this.#pauseMs = 0
    else if (this.#isResting && this.#pauseMs > firstPauseMs) {
      this.#pauseMs = firstPauseMs
      this.#wait(firstPauseMs)
    }
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
    this.#isResting = false
    try {
      const since = performance.now()
      const turn = await this.run(backgroundSeconds)
      this.#told(turn, since)
      const { settled, done } = turn
      this.#isResting = settled
      if (settled && this.#rest.longestMs === untilWoken) return this.#restUntilWoken()
      this.#pauseMs = settled ? this.#restMs() : done > 0 ? 0 : Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs)
    } catch (error) {
      this.#pauseMs = Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs)
      if (!this.#ending.signal.aborted) this.#failed(error)
    }
    this.#wait(this.#hinted ? Math.min(hintPauseMs, this.#pauseMs) : this.#pauseMs)
  }

  #restUntilWoken(): void {
    this.#pauseMs = firstPauseMs
    if (this.#hinted) this.#wait(hintPauseMs)
  }

  /** Doubles the pause, up to the longest. */
  #restMs(): number {
    const { longestMs, share } = this.#rest
    if (longestMs <= firstPauseMs) return longestMs
    const grown = Math.max(firstPauseMs, this.#pauseMs * 2)
    return Math.min(grown, longestMs * (leastShare + share * (1 - leastShare)))
  }
}
