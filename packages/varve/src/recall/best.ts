const noTime = (_doc: number): number => 0

/**
 * The numbers with the highest scores, best first. Of equal scores the later time comes first, if times are given, then the
 * higher number (the message that was stored later). A
 * heap of `most` entries: a sort of all messages that share a word with the question cost more than their scoring.
 */
export class Best {
  readonly #docs: Int32Array
  readonly #scores: Float64Array
  readonly #most: number
  readonly #timeOf: (doc: number) => number
  #size = 0

  constructor(most: number, timeOf = noTime) {
    this.#timeOf = timeOf
    this.#most = most
    this.#docs = new Int32Array(most)
    this.#scores = new Float64Array(most)
  }

  /** The lowest score that still gets a place. */
  get least(): number {
    return this.#size < this.#most ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? 0)
  }

  offer(doc: number, score: number): void {
    if (this.#size < this.#most) {
      this.#put(this.#size, doc, score)
      this.#size += 1
      this.#rise(this.#size - 1)
    } else if (this.#most > 0 && this.#isWorse(this.#scores[0] ?? 0, this.#docs[0] ?? 0, score, doc)) {
      this.#put(0, doc, score)
      this.#sink(0)
    }
  }

  /** Gives the numbers, best first, and empties the heap. */
  take(): { doc: number; score: number }[] {
    const taken: { doc: number; score: number }[] = []
    while (this.#size > 0) {
      taken.push({ doc: this.#docs[0] ?? 0, score: this.#scores[0] ?? 0 })
      this.#size -= 1
      this.#put(0, this.#docs[this.#size] ?? 0, this.#scores[this.#size] ?? 0)
      this.#sink(0)
    }
    return taken.toReversed()
  }

  #rise(start: number): void {
    let at = start
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (!this.#isWorseAt(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(start: number): void {
    let at = start
    for (;;) {
      const left = at * 2 + 1
      if (left >= this.#size) return
      const right = left + 1
      const worse = right < this.#size && this.#isWorseAt(right, left) ? right : left
      if (!this.#isWorseAt(worse, at)) return
      this.#swap(at, worse)
      at = worse
    }
  }

  #isWorseAt(a: number, other: number): boolean {
    return this.#isWorse(this.#scores[a] ?? 0, this.#docs[a] ?? 0, this.#scores[other] ?? 0, this.#docs[other] ?? 0)
  }

  #isWorse(score: number, doc: number, thanScore: number, thanDoc: number): boolean {
    if (score !== thanScore) return score < thanScore
    const later = this.#timeOf(doc) - this.#timeOf(thanDoc)
    return later < 0 || (later === 0 && doc < thanDoc)
  }

  #swap(a: number, other: number): void {
    const doc = this.#docs[a] ?? 0
    const score = this.#scores[a] ?? 0
    this.#put(a, this.#docs[other] ?? 0, this.#scores[other] ?? 0)
    this.#put(other, doc, score)
  }

  #put(at: number, doc: number, score: number): void {
    this.#docs[at] = doc
    this.#scores[at] = score
  }
}
