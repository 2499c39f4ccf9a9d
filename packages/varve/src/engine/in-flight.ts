/** Longer than any process waits: the timer is there, and never fires. */
const neverMs = 2_147_483_647

/**
 * One timer for all that is under way in this thread: it counts for the process while something is. Made anew each
 * time it took 4 µs a call.
 */
let timer: NodeJS.Timeout | undefined
let holders = 0

function keepAlive(): void {
  holders += 1
  if (holders > 1) return
  timer ??= setInterval(() => undefined, neverMs)
  timer.ref()
}

function letEnd(): void {
  holders -= 1
  if (holders === 0) timer?.unref()
}

/** Counts what is under way, so that its end can be waited for. Until then it keeps the process alive. */
export class InFlight {
  #count = 0
  #waiting: (() => void)[] = []

  get count(): number {
    return this.#count
  }

  async hold<Result>(work: Promise<Result>): Promise<Result> {
    this.#count += 1
    if (this.#count === 1) keepAlive()
    try {
      return await work
    } finally {
      this.#count -= 1
      if (this.#count === 0) this.#ended()
    }
  }

  #ended(): void {
    letEnd()
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when nothing is under way. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
