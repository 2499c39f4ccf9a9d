/** Longer than any process waits: the timer is there, and never fires. */
const neverMs = 2_147_483_647

/** Counts what is under way, so that its end can be waited for. Until then it keeps the process alive. */
export class InFlight {
  #count = 0
  #alive: NodeJS.Timeout | undefined
  #waiting: (() => void)[] = []

  get count(): number {
    return this.#count
  }

  async hold<Result>(work: Promise<Result>): Promise<Result> {
    this.#count += 1
    this.#alive ??= setInterval(() => undefined, neverMs)
    try {
      return await work
    } finally {
      this.#count -= 1
      if (this.#count === 0) this.#ended()
    }
  }

  #ended(): void {
    clearInterval(this.#alive)
    this.#alive = undefined
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when nothing is under way. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
