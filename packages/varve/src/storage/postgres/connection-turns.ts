/**
 * Lets so many transactions run at a time, the others in the order of arrival. The pool would make them wait too, and
 * fail those that wait longer than a connection may take: a busy store is not one that cannot be reached.
 */
export class ConnectionTurns {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The next one takes this place.
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
