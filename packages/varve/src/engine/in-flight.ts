/** Counts what is under way, so that its end can be waited for. */
export class InFlight {
  #count = 0
  #waiting: (() => void)[] = []

  get count(): number {
    return this.#count
  }

  async hold<Result>(work: Promise<Result>): Promise<Result> {
    this.#count += 1
    try {
      return await work
    } finally {
      this.#count -= 1
      if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  /** Resolves when nothing is under way. */
  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
