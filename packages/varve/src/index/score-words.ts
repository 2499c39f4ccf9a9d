import type { PostingList } from './postings.ts'
import type { QueryWord } from './query.ts'
import type { Segment } from './segment.ts'
import type { IndexedWords } from './segment-words.ts'
import { windowSize } from './windows.ts'

/** BM25's saturation and length normalisation (Robertson and Zaragoza 2009). b is low, since short turns are not better. */
const k1 = 1.2
const b = 0.4

/** The share of a word that was said one, two or three messages before or after, by place in a window. */
const nearness = Float64Array.of(1, 0.8, 0.8, 0.55, 0.55, 0.35, 0.35)

/** The weight of a stop word, relative to other words. One that more than this share of the messages has weighs nothing. */
const stopWeight = 0.4
const mostStopShare = 0.25

/** The weight of a word of the same family, relative to the word itself (relatives.ts). */
const relatedShare = 0.5

const none = -1

/** A word of the question, and the messages that have it. */
export interface FoundWord {
  readonly written: string
  /** Its forms in the index, one or more for each language. */
  readonly variants: readonly string[]
  /** True for a stop word in a question with other words. */
  readonly stop: boolean
  /** The most that it adds to a message's score: its share of the question. */
  readonly weight: number
  /** Lists of its own forms, then of its relatives. */
  readonly lists: readonly WordList[]
  /**
   * True when it has only one term, so that no message has two entries. A list of waiting entries (Postings.of) has one
   * for each term.
   */
  readonly isOneTerm: boolean
}

interface WordList extends PostingList {
  /** The weight of an entry in this list. */
  readonly share: number
}

/** The words of a question in a partition. Good until the next question is looked up. */
export interface FoundWords {
  /** The words that weigh something here. */
  readonly words: readonly FoundWord[]
  /** By message, with one place more: the share of the question that it says itself, without stop words, 0 to 1. */
  readonly own: Float32Array
}

/** Scores of some messages, in their order. */
export interface WordScores {
  /** The share of the question that the message itself says: 0 to 1, with rare words weighing more. */
  readonly own: Float32Array
  /** The same with the messages near it; never less. */
  readonly near: Float32Array
  /** 1 where a word other than a stop word is in it or near it. */
  readonly isByWord: Uint8Array
}

/**
 * Scores how well messages cover a question's words, by the partition's own counts.
 *
 * A word counts by its BM25 value (at most 1), here or near by, whichever is more. So no word counts twice, and
 * repetition in a long talk adds nothing.
 *
 * There are two steps, since most messages are not worth a second look. The first scores each message's own words, the
 * second the words near the chosen messages.
 */
export class WordScorer {
  #own = new Float32Array(0)
  #counts = new Float32Array(0)
  #places = new Int32Array(0)

  /** Stop words find nothing by themselves, unless there are no others. */
  find(segment: Segment, asked: readonly QueryWord[]): FoundWords {
    this.#makeRoom(segment.count + 1)
    const own = this.#own.fill(0, 0, segment.count + 1)
    const allStop = asked.every((word) => word.stop)
    const indexed = segment.wordsFor(asked)
    const weighed = asked.map((word) => foundWord(segment, indexed, word, word.stop && !allStop)).filter(({ weight }) => weight > 0)
    const most = weighed.reduce((sum, { weight }) => sum + weight, 0)
    const words = weighed.map((word) => ({ ...word, weight: word.weight / most }))
    for (const word of words) if (!word.stop) this.#addOwn(segment, word)
    return { words, own }
  }

  /** Finds words in an excerpt. Each weighs as it does in the segment where it was found before. */
  findAs(excerpt: Segment, found: readonly FoundWord[]): FoundWords {
    this.#makeRoom(excerpt.count + 1)
    const own = this.#own.fill(0, 0, excerpt.count + 1)
    const indexed = excerpt.wordsFor(found)
    const words = found.map((word) => ({ ...foundWord(excerpt, indexed, word, word.stop), weight: word.weight }))
    for (const word of words) if (!word.stop) this.#addOwn(excerpt, word)
    return { words, own }
  }

  /** Scores messages, given the window of each (windows.ts). */
  score(segment: Segment, { words }: FoundWords, docs: Int32Array, windows: Int32Array): WordScores {
    const size = docs.length
    const scores = { own: new Float32Array(size), near: new Float32Array(size), isByWord: new Uint8Array(size) }
    const presence = new Float32Array(size)
    const places = this.#placesOf(docs, segment.count)
    for (const word of words) {
      if (sizeOf(word) < size) this.#spread(segment, word, places, presence, scores.own)
      else this.#gather(segment, word, windows, presence, scores.own)
      for (let at = 0; at < size; at += 1) {
        const present = presence[at] ?? 0
        if (present === 0) continue
        presence[at] = 0
        scores.near[at] = (scores.near[at] ?? 0) + word.weight * present
        if (!word.stop) scores.isByWord[at] = 1
      }
    }
    return scores
  }

  #makeRoom(size: number): void {
    if (this.#own.length >= size) return
    const room = Math.max(1024, size + (size >> 2))
    this.#own = new Float32Array(room)
    this.#counts = new Float32Array(room)
    this.#places = new Int32Array(room)
  }

  /** Returns the place of each message among the chosen ones. */
  #placesOf(docs: Int32Array, count: number): Int32Array {
    const places = this.#places.fill(none, 0, count)
    for (let at = 0; at < docs.length; at += 1) places[docs[at] ?? 0] = at
    return places
  }

  /** Counts the word in messages, in all of its forms. */
  #count({ lists }: FoundWord): void {
    const all = this.#counts
    for (const { docs, counts, from, to, share } of lists) {
      for (let at = from; at < to; at += 1) {
        const doc = docs[at] ?? 0
        all[doc] = (all[doc] ?? 0) + share * (counts[at] ?? 0)
      }
    }
  }

  #addOwn(segment: Segment, word: FoundWord): void {
    const { isOneTerm } = word
    if (!isOneTerm) this.#count(word)
    const [own, all] = [this.#own, this.#counts]
    const { lengths, least, perWord } = presenceIn(segment)
    for (const { docs, counts, from, to, share } of word.lists) {
      for (let at = from; at < to; at += 1) {
        const doc = docs[at] ?? 0
        const count = isOneTerm ? share * (counts[at] ?? 0) : (all[doc] ?? 0)
        // Counted already, under another of its forms.
        if (count === 0) continue
        if (!isOneTerm) all[doc] = 0
        own[doc] = (own[doc] ?? 0) + word.weight * Math.min(1, (count * (k1 + 1)) / (count + least + perWord * (lengths[doc] ?? 0)))
      }
    }
  }

  /** Goes from the messages with a word to the chosen ones around each: for rare words. */
  #spread(segment: Segment, word: FoundWord, places: Int32Array, presence: Float32Array, own: Float32Array): void {
    const { lists, weight, isOneTerm } = word
    if (!isOneTerm) this.#count(word)
    const all = this.#counts
    const { next, previous } = segment
    const { lengths, least, perWord } = presenceIn(segment)
    const reach = (doc: number, here: number): void => {
      const at = places[doc] ?? none
      if (at !== none && here > (presence[at] ?? 0)) presence[at] = here
    }
    for (const { docs, counts, from, to, share } of lists) {
      for (let entry = from; entry < to; entry += 1) {
        const doc = docs[entry] ?? 0
        const count = isOneTerm ? share * (counts[entry] ?? 0) : (all[doc] ?? 0)
        // Counted already, under another of its forms.
        if (count === 0) continue
        if (!isOneTerm) all[doc] = 0
        const said = Math.min(1, (count * (k1 + 1)) / (count + least + perWord * (lengths[doc] ?? 0)))
        const at = places[doc] ?? none
        if (at !== none) own[at] = (own[at] ?? 0) + weight * said
        reach(doc, said)
        let after = next[doc] ?? none
        let before = previous[doc] ?? none
        for (let place = 1; place < windowSize; place += 2) {
          const here = said * (nearness[place] ?? 0)
          if (after !== none) {
            reach(after, here)
            after = next[after] ?? none
          }
          if (before !== none) {
            reach(before, here)
            before = previous[before] ?? none
          }
        }
      }
    }
  }

  /** Goes from the chosen messages to those around each that have a word: for common words. */
  #gather(segment: Segment, word: FoundWord, windows: Int32Array, presence: Float32Array, own: Float32Array): void {
    this.#count(word)
    const { lists, weight } = word
    const all = this.#counts
    const { lengths, least, perWord } = presenceIn(segment)
    for (let at = 0, first = 0; at < presence.length; at += 1, first += windowSize) {
      if (isNowhere(all, windows, first)) continue
      let most = 0
      for (let place = 0; place < windowSize; place += 1) {
        const share = nearness[place] ?? 0
        if (most >= share) break
        const doc = windows[first + place] ?? 0
        const count = all[doc] ?? 0
        if (count === 0) continue
        const here = share * Math.min(1, (count * (k1 + 1)) / (count + least + perWord * (lengths[doc] ?? 0)))
        if (place === 0) own[at] = (own[at] ?? 0) + weight * here
        if (here > most) most = here
      }
      presence[at] = most
    }
    for (const { docs, from, to } of lists) for (let entry = from; entry < to; entry += 1) all[docs[entry] ?? 0] = 0
  }
}

/** Tells whether no message of a window has the word. That is the usual case, and seven reads at once cost half of a loop. */
function isNowhere(counts: Float32Array, windows: Int32Array, first: number): boolean {
  return (
    (counts[windows[first] ?? 0] ?? 0) +
      (counts[windows[first + 1] ?? 0] ?? 0) +
      (counts[windows[first + 2] ?? 0] ?? 0) +
      (counts[windows[first + 3] ?? 0] ?? 0) +
      (counts[windows[first + 4] ?? 0] ?? 0) +
      (counts[windows[first + 5] ?? 0] ?? 0) +
      (counts[windows[first + 6] ?? 0] ?? 0) ===
    0
  )
}

/**
 * The values of a segment that BM25 needs. A word said `count` times in a message counts count * (k1 + 1) / (count +
 * least + perWord * length).
 */
interface Presence {
  readonly lengths: Int32Array
  readonly least: number
  readonly perWord: number
}

function presenceIn({ lengths, totalLength, live }: Segment): Presence {
  return { lengths, least: k1 * (1 - b), perWord: (k1 * b) / Math.max(1, totalLength / Math.max(1, live)) }
}

/**
 * Weighs a word of the question; a word that nobody said weighs too. Only its own forms count for the weight: relatives
 * do not make a rare word common.
 */
function foundWord({ live }: Segment, indexed: IndexedWords, word: QueryWord, stop: boolean): FoundWord {
  const { own, related } = termsOf(indexed, word)
  const lists = indexed.postings.of(own).map((list) => ({ ...list, share: 1 }))
  const found = Math.min(live, sizeOf({ lists }))
  const isTooCommon = stop && found > live * mostStopShare
  const weight = isTooCommon ? 0 : Math.log(1 + (live - found + 0.5) / (found + 0.5)) * (stop ? stopWeight : 1)
  const relatives = indexed.postings.of(related).map((list) => ({ ...list, share: relatedShare }))
  return {
    written: word.written,
    variants: word.variants,
    stop,
    weight,
    lists: [...lists, ...relatives],
    isOneTerm: own.length + related.length === 1,
  }
}

/** Gives the share of a question's telling words that any message has, in any form, with rare words weighing more. 1 without any. */
export function knownShare(words: readonly FoundWord[]): number {
  let all = 0
  let known = 0
  for (const word of words) {
    if (word.stop) continue
    all += word.weight
    if (word.lists.some(({ share, from, to }) => share === 1 && to > from)) known += word.weight
  }
  return all === 0 ? 1 : known / all
}

/** Counts the entries of a word, in all of its forms. */
function sizeOf({ lists }: Pick<FoundWord, 'lists'>): number {
  return lists.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** Returns the terms of a word, and those of its relatives; a stop word has no relatives. */
function termsOf({ terms, relatives }: IndexedWords, { variants, stop }: QueryWord): { own: number[]; related: number[] } {
  const own = variants.flatMap((variant) => terms.find(variant) ?? [])
  const related = stop ? [] : new Set(variants.flatMap((variant) => relatives.of(variant)))
  return { own, related: [...related].filter((term) => !own.includes(term)) }
}
