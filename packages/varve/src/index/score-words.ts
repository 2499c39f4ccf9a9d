import type { QueryWord } from './query.ts'
import type { Segment } from './segment.ts'

/** BM25's saturation and length normalisation (Robertson and Zaragoza 2009); b is low, since short turns are not better ones. */
export const k1 = 1.2
export const b = 0.4

/** How much of a word said one or two messages away counts as said here. */
export const nearness = [0.5, 0.25] as const

/** A stop word's share of a word's weight: enough to order equals, too little to find by. */
export const stopwordWeight = 0

/** Scores of all messages that have, or stand beside, a word of the question. Arrays by message number. */
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

/** BM25 over the partition's own counts, of the messages alone and over a soft window of their neighbours. */
export function scoreWords(segment: Segment, words: readonly QueryWord[]): WordScores {
  const telling = words.filter((word) => !word.stop)
  const used = telling.length > 0 ? telling : words
  const scorer = new Scorer(segment)
  for (const word of used) scorer.add(word)
  return { ...scorer.finish(), words: used }
}

class Scorer {
  readonly #segment: Segment
  readonly #own: Float64Array
  readonly #around: Float64Array
  readonly #ownCounts: Float64Array
  readonly #nearCounts: Float64Array
  readonly #touched: Int32Array
  readonly #isTouched: Uint8Array
  readonly #ofWord: Int32Array
  #touchedCount = 0
  #best = 0

  constructor(segment: Segment) {
    const size = segment.count
    this.#segment = segment
    this.#own = new Float64Array(size)
    this.#around = new Float64Array(size)
    this.#ownCounts = new Float64Array(size)
    this.#nearCounts = new Float64Array(size)
    this.#touched = new Int32Array(size)
    this.#isTouched = new Uint8Array(size)
    this.#ofWord = new Int32Array(size)
  }

  add(word: QueryWord): void {
    const lists = word.variants.flatMap((variant) => {
      const term = this.#segment.terms.find(variant)
      const postings = term === undefined ? undefined : this.#segment.postings[term]
      return postings === undefined || postings.size === 0 ? [] : [postings]
    })
    const found = Math.min(this.#segment.live, lists.reduce((sum, list) => sum + list.size, 0))
    const weight = Math.log(1 + (this.#segment.live - found + 0.5) / (found + 0.5))
    // A word that nobody ever said still counts towards what a full answer would reach.
    this.#best += weight * (k1 + 1)
    let count = 0
    for (const list of lists) {
      for (let at = 0; at < list.size; at += 1) count = this.#spread(list.docs[at] ?? 0, list.counts[at] ?? 0, count)
    }
    this.#settle(weight, count)
  }

  finish(): { own: Float64Array; around: Float64Array; touched: Int32Array } {
    const touched = this.#touched.subarray(0, this.#touchedCount)
    if (this.#best > 0) {
      for (const doc of touched) {
        this.#own[doc] = (this.#own[doc] ?? 0) / this.#best
        this.#around[doc] = (this.#around[doc] ?? 0) / this.#best
      }
    }
    return { own: this.#own, around: this.#around, touched }
  }

  #spread(doc: number, times: number, before: number): number {
    this.#ownCounts[doc] = (this.#ownCounts[doc] ?? 0) + times
    let count = this.#near(doc, times, before)
    let back = doc
    let on = doc
    for (const share of nearness) {
      back = back < 0 ? back : (this.#segment.previous[back] ?? -1)
      on = on < 0 ? on : (this.#segment.next[on] ?? -1)
      if (back >= 0) count = this.#near(back, times * share, count)
      if (on >= 0) count = this.#near(on, times * share, count)
    }
    return count
  }

  #near(doc: number, times: number, count: number): number {
    const before = this.#nearCounts[doc] ?? 0
    this.#nearCounts[doc] = before + times
    if (before > 0) return count
    this.#ofWord[count] = doc
    return count + 1
  }

  /** Turns one word's counts into its share of the score, and clears them for the next word. */
  #settle(weight: number, count: number): void {
    const average = this.#segment.totalLength / Math.max(1, this.#segment.live)
    for (let at = 0; at < count; at += 1) {
      const doc = this.#ofWord[at] ?? 0
      const length = k1 * (1 - b + (b * (this.#segment.lengths[doc] ?? 0)) / Math.max(1, average))
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
