import type { PostingList } from './postings.ts'
import type { QueryWord } from './query.ts'
import type { Segment } from './segment.ts'

/** BM25's saturation and length normalisation (Robertson and Zaragoza 2009); b is low, since short turns are not better ones. */
const k1 = 1.2
const b = 0.4

/** How much of a word said one or two messages away counts as said here. */
const nearness = [0.5, 0.25] as const

/** Scores of all messages that have, or stand beside, a word of the question. Good until the next question is scored. */
export interface WordScores {
  /** BM25 of the message's own words, as a share of what a message with all words of the question could reach: 0 to 1. */
  readonly own: Float64Array
  /** The same with the words of the messages around it. */
  readonly around: Float64Array
  /** Messages with a score, each once. */
  readonly touched: Int32Array
  /** The words that were looked for: those that carry weight here. */
  readonly words: readonly QueryWord[]
}

/**
 * BM25 over the partition's own counts, of the messages alone and over a soft window of their neighbours. The arrays
 * are used again from question to question, since clearing what was touched is cheaper than making them.
 */
export class WordScorer {
  #own = new Float64Array(0)
  #around = new Float64Array(0)
  #ownCounts = new Float64Array(0)
  #nearCounts = new Float64Array(0)
  #isTouched = new Uint8Array(0)
  #touched = new Int32Array(0)
  #ofWord = new Int32Array(0)
  #touchedCount = 0
  #ofWordCount = 0

  score(segment: Segment, words: readonly QueryWord[]): WordScores {
    this.#clear(segment.count)
    const telling = words.filter((word) => !word.stop)
    const used = telling.length > 0 ? telling : words
    let best = 0
    for (const word of used) best += this.#add(segment, word)
    const touched = this.#touched.subarray(0, this.#touchedCount)
    for (const doc of touched) {
      this.#own[doc] = (this.#own[doc] ?? 0) / best
      this.#around[doc] = (this.#around[doc] ?? 0) / best
    }
    return { own: this.#own, around: this.#around, touched, words: used }
  }

  #clear(size: number): void {
    if (this.#own.length < size) {
      const room = Math.max(1024, size + (size >> 2))
      this.#own = new Float64Array(room)
      this.#around = new Float64Array(room)
      this.#ownCounts = new Float64Array(room)
      this.#nearCounts = new Float64Array(room)
      this.#isTouched = new Uint8Array(room)
      this.#touched = new Int32Array(room)
      this.#ofWord = new Int32Array(room)
    } else {
      for (const doc of this.#touched.subarray(0, this.#touchedCount)) {
        this.#own[doc] = 0
        this.#around[doc] = 0
        this.#isTouched[doc] = 0
      }
    }
    this.#touchedCount = 0
  }

  /** Adds one word's share to all scores; gives back the most that it could add to one. */
  #add(segment: Segment, word: QueryWord): number {
    const lists = word.variants.flatMap((variant) => {
      const term = segment.terms.find(variant)
      return term === undefined ? [] : segment.postings.of(term)
    })
    const found = Math.min(segment.live, lists.reduce((sum, { from, to }) => sum + to - from, 0))
    const weight = Math.log(1 + (segment.live - found + 0.5) / (found + 0.5))
    this.#ofWordCount = 0
    for (const list of lists) this.#spread(segment, list)
    this.#settle(segment, weight)
    // A word that nobody ever said still counts towards what a full answer would reach.
    return weight * (k1 + 1)
  }

  #spread({ previous, next }: Segment, { docs, counts, from, to }: PostingList): void {
    const [one, two] = nearness
    for (let at = from; at < to; at += 1) {
      const doc = docs[at] ?? 0
      const times = counts[at] ?? 0
      this.#ownCounts[doc] = (this.#ownCounts[doc] ?? 0) + times
      this.#near(doc, times)
      const before = previous[doc] ?? -1
      if (before >= 0) {
        this.#near(before, times * one)
        const further = previous[before] ?? -1
        if (further >= 0) this.#near(further, times * two)
      }
      const after = next[doc] ?? -1
      if (after >= 0) {
        this.#near(after, times * one)
        const further = next[after] ?? -1
        if (further >= 0) this.#near(further, times * two)
      }
    }
  }

  #near(doc: number, times: number): void {
    const before = this.#nearCounts[doc] ?? 0
    this.#nearCounts[doc] = before + times
    if (before > 0) return
    this.#ofWord[this.#ofWordCount] = doc
    this.#ofWordCount += 1
  }

  /** Turns one word's counts into its share of the score, and clears them for the next word. */
  #settle(segment: Segment, weight: number): void {
    const perWord = (k1 * b) / Math.max(1, segment.totalLength / Math.max(1, segment.live))
    for (let at = 0; at < this.#ofWordCount; at += 1) {
      const doc = this.#ofWord[at] ?? 0
      const length = k1 * (1 - b) + perWord * (segment.lengths[doc] ?? 0)
      const own = this.#ownCounts[doc] ?? 0
      const near = this.#nearCounts[doc] ?? 0
      if (own > 0) this.#own[doc] = (this.#own[doc] ?? 0) + (weight * own * (k1 + 1)) / (own + length)
      this.#around[doc] = (this.#around[doc] ?? 0) + (weight * near * (k1 + 1)) / (near + length)
      this.#ownCounts[doc] = 0
      this.#nearCounts[doc] = 0
      if (this.#isTouched[doc] === 1) continue
      this.#isTouched[doc] = 1
      this.#touched[this.#touchedCount] = doc
      this.#touchedCount += 1
    }
  }
}
