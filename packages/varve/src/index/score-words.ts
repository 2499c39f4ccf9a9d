import type { PostingList } from './postings.ts'
import type { QueryWord } from './query.ts'
import type { Segment } from './segment.ts'

/** BM25's saturation and length normalisation (Robertson and Zaragoza 2009); b is low, since short turns are not better ones. */
const k1 = 1.2
const b = 0.4

/** How much of a word said one, two or three messages before or after counts as said here. */
const nearness = [0.8, 0.55, 0.35] as const

/** A stop word counts so much of another word, and not at all when more than this share of the messages has it. */
const stopWeight = 0.4
const mostStopShare = 0.25

/** How a message was found: by a word that tells, or otherwise. */
export const byWord = 1
const byOther = 2

/** A word of the question, whether it is a stop word among others that tell more, and the messages that have it. */
export interface FoundWord {
  readonly written: string
  readonly stop: boolean
  readonly lists: readonly PostingList[]
}

/** Scores of all messages that have, or stand beside, a word of the question. Good until the next question is scored. */
export interface WordScores {
  /** How much of what the question says the message itself says: 0 to 1, its words weighed by how rare they are. */
  readonly own: Float32Array
  /** The same with what was said near it; never less. */
  readonly near: Float32Array
  /** By message: `byWord` where a word that tells is in it or near it. */
  readonly foundBy: Uint8Array
  /** Messages with a score, each once. */
  readonly touched: Int32Array
  /** The words that were looked for, those that carry weight here, and the messages that have each. */
  readonly words: readonly FoundWord[]
}

/**
 * How well messages cover a question's words, over the partition's own counts. A word is present as far as BM25 says (at
 * most 1), here or near by, whichever is more; so that no word counts twice, and none of a long talk adds up. The arrays
 * are used again from question to question, since clearing what was touched is cheaper than making them.
 */
export class WordScorer {
  #own = new Float32Array(0)
  #near = new Float32Array(0)
  #counts = new Float32Array(0)
  #presence = new Float32Array(0)
  #isTouched = new Uint8Array(0)
  #touched = new Int32Array(0)
  #having = new Int32Array(0)
  #reached = new Int32Array(0)
  #touchedCount = 0
  #havingCount = 0
  #reachedCount = 0

  /** `others`: messages that were found in another way, in which stop words count too; they find none by themselves, unless there are no other words. */
  score(segment: Segment, words: readonly QueryWord[], others?: Float32Array, leastOther = 0): WordScores {
    this.#clear(segment.count)
    const allStop = words.every((word) => word.stop)
    const used: FoundWord[] = []
    const add = (word: QueryWord): number => {
      const lists = listsOf(segment, word)
      const stop = word.stop && !allStop
      const weight = this.#add(segment, lists, stop)
      if (weight > 0) used.push({ written: word.written, stop, lists })
      return weight
    }
    const sumOf = (some: readonly QueryWord[]): number => some.reduce((sum, word) => sum + add(word), 0)
    let best = sumOf(allStop ? words : words.filter((word) => !word.stop))
    if (!allStop) {
      this.#touchOthers(segment.count, others, leastOther)
      best += sumOf(words.filter((word) => word.stop))
    }
    const touched = this.#touched.subarray(0, this.#touchedCount)
    for (const doc of touched) {
      this.#own[doc] = (this.#own[doc] ?? 0) / best
      this.#near[doc] = (this.#near[doc] ?? 0) / best
    }
    return { own: this.#own, near: this.#near, touched, foundBy: this.#isTouched, words: used }
  }

  #clear(size: number): void {
    if (this.#own.length < size) {
      const room = Math.max(1024, size + (size >> 2))
      this.#own = new Float32Array(room)
      this.#near = new Float32Array(room)
      this.#counts = new Float32Array(room)
      this.#presence = new Float32Array(room)
      this.#isTouched = new Uint8Array(room)
      this.#touched = new Int32Array(room)
      this.#having = new Int32Array(room)
      this.#reached = new Int32Array(room)
    } else {
      for (const doc of this.#touched.subarray(0, this.#touchedCount)) {
        this.#own[doc] = 0
        this.#near[doc] = 0
        this.#isTouched[doc] = 0
      }
    }
    this.#touchedCount = 0
  }

  #touchOthers(count: number, others: Float32Array | undefined, least: number): void {
    if (others === undefined) return
    for (let doc = 0; doc < count; doc += 1) if ((others[doc] ?? 0) >= least) this.#touch(doc, byOther)
  }

  #touch(doc: number, by: number): void {
    if ((this.#isTouched[doc] ?? 0) > 0) return
    this.#isTouched[doc] = by
    this.#touched[this.#touchedCount] = doc
    this.#touchedCount += 1
  }

  /** Adds one word's share to all scores; gives back its weight: the most that it adds to one. A word that nobody ever said still weighs. */
  #add(segment: Segment, lists: readonly PostingList[], isStop: boolean): number {
    const found = Math.min(segment.live, lists.reduce((sum, { from, to }) => sum + to - from, 0))
    if (isStop && found > segment.live * mostStopShare) return 0
    const weight = Math.log(1 + (segment.live - found + 0.5) / (found + 0.5)) * (isStop ? stopWeight : 1)
    this.#havingCount = 0
    this.#reachedCount = 0
    for (const list of lists) this.#count(list)
    this.#spread(segment, weight, isStop)
    this.#settle(weight, isStop)
    return weight
  }

  /** How often messages have the word, in all of its forms. */
  #count({ docs, counts, from, to }: PostingList): void {
    for (let at = from; at < to; at += 1) {
      const doc = docs[at] ?? 0
      const before = this.#counts[doc] ?? 0
      this.#counts[doc] = before + (counts[at] ?? 0)
      if (before > 0) continue
      this.#having[this.#havingCount] = doc
      this.#havingCount += 1
    }
  }

  #spread(segment: Segment, weight: number, isStop: boolean): void {
    const { previous, next, lengths } = segment
    const perWord = (k1 * b) / Math.max(1, segment.totalLength / Math.max(1, segment.live))
    for (let at = 0; at < this.#havingCount; at += 1) {
      const doc = this.#having[at] ?? 0
      const count = this.#counts[doc] ?? 0
      this.#counts[doc] = 0
      const presence = Math.min(1, (count * (k1 + 1)) / (count + k1 * (1 - b) + perWord * (lengths[doc] ?? 0)))
      if (!isStop || (this.#isTouched[doc] ?? 0) > 0) this.#own[doc] = (this.#own[doc] ?? 0) + weight * presence
      this.#reach(doc, presence)
      this.#walk(next, doc, presence)
      this.#walk(previous, doc, presence)
    }
  }

  #walk(neighbour: Int32Array, from: number, presence: number): void {
    let doc = neighbour[from] ?? -1
    for (let step = 0; step < nearness.length && doc >= 0; step += 1) {
      this.#reach(doc, presence * (nearness[step] ?? 0))
      doc = neighbour[doc] ?? -1
    }
  }

  #reach(doc: number, presence: number): void {
    const before = this.#presence[doc] ?? 0
    if (presence > before) this.#presence[doc] = presence
    if (before > 0) return
    this.#reached[this.#reachedCount] = doc
    this.#reachedCount += 1
  }

  /** Adds one word's presence to the scores, and clears it for the next word. */
  #settle(weight: number, isStop: boolean): void {
    for (let at = 0; at < this.#reachedCount; at += 1) {
      const doc = this.#reached[at] ?? 0
      const presence = this.#presence[doc] ?? 0
      this.#presence[doc] = 0
      if (isStop && this.#isTouched[doc] === 0) continue
      this.#near[doc] = (this.#near[doc] ?? 0) + weight * presence
      this.#touch(doc, byWord)
    }
  }
}

/** The messages that have a word, in any of the forms in which it may stand. */
function listsOf({ terms, postings }: Segment, { variants }: QueryWord): PostingList[] {
  return variants.flatMap((variant) => {
    const term = terms.find(variant)
    return term === undefined ? [] : postings.of(term)
  })
}
