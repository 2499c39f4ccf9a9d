/** The longest run of calls on the host's thread before its event loop gets a turn: milliseconds. */
const longestMs = 5

/**
 * Gives the host's event loop its turn between calls that its own thread answers. A loop of awaited calls would never
 * let a timer or a socket in.
 */
export class HostTurns {
  /** The time of the event loop's last turn, by performance.now. */
  #since = 0
  #isMarked = false

  /** Returns undefined when there is nothing to wait for. Else the promise resolves when the event loop had its turn. */
  next(): Promise<void> | undefined {
    if (!this.#isMarked) {
      this.#isMarked = true
      this.#since = performance.now()
      setImmediate(() => {
        this.#isMarked = false
      })
      return undefined
    }
    return performance.now() - this.#since < longestMs ? undefined : new Promise((resolve) => setImmediate(resolve))
  }
}
