/** The most lines that wait for one that belongs before them, and the most bytes that they have in the file. */
export const maxHeldLines = 64
export const maxHeldBytes = 4 * 1024 * 1024

export interface HeldLine<T> {
  readonly value: T
  readonly id: string | undefined
  /** The id of the line before it. */
  readonly parent: string | undefined
  /** The time of the line: UTC milliseconds. */
  readonly at: number
  readonly bytes: number
}

/**
 * Orders lines within a window: each after its parent, else by time, else as they came.
 *
 * A transcript is nearly in order, since lines are appended when they are done. Lines further apart than the window
 * stay as they came.
 */
export class ChainOrder<T> {
  readonly #held: HeldLine<T>[] = []
  #bytes = 0
  /** The number of times that lines were each other's parents. */
  loops = 0

  /** Takes a line, and returns the lines that need wait no longer. */
  take(line: HeldLine<T>): readonly T[] {
    this.#held.push(line)
    this.#bytes += line.bytes
    const out: T[] = []
    while (this.#held.length > maxHeldLines || this.#bytes > maxHeldBytes) out.push(this.#next())
    return out
  }

  rest(): readonly T[] {
    return Array.from({ length: this.#held.length }, () => this.#next())
  }

  #next(): T {
    let first = 0
    for (let place = 1; place < this.#held.length; place += 1) if (this.#atOf(place) < this.#atOf(first)) first = place
    const [next] = this.#held.splice(this.#rootOf(first), 1)
    if (next === undefined) throw new RangeError('there is no line to give out')
    this.#bytes -= next.bytes
    return next.value
  }

  #atOf(place: number): number {
    return this.#held[place]?.at ?? 0
  }

  /** Returns the place of the line's first ancestor that waits too; stops where a loop closes. */
  #rootOf(place: number): number {
    const passed = new Set<number>()
    let at = place
    for (;;) {
      passed.add(at)
      const parent = this.#held[at]?.parent
      const above = parent === undefined ? -1 : this.#held.findIndex(({ id }) => id === parent)
      if (above < 0) return at
      if (passed.has(above)) {
        this.loops += 1
        return at
      }
      at = above
    }
  }
}
