/** How long calls may follow each other on the host's thread before its event loop gets a turn. */
const longestMs = 5

/**
 * Gives the host's event loop its turn between calls that are answered in its own thread: a loop of awaited calls
 * would never let a timer or a socket in.
 */
export class HostTurns {
  /** Since when, by performance.now, the event loop had no turn. */
  #since = 0
  #isMarked = false

  /** Undefined when there is nothing to wait for; else resolves when the event loop had its turn. */
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
