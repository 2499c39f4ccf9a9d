import { type FoundWord, knownShare, WordScorer } from '../index/score-words.ts'
import type { Segment } from '../index/segment.ts'
import type { Index } from '../index/segments.ts'
import { windowsOf } from '../index/windows.ts'
import { Best } from './best.ts'
import type { AskedCalendar } from './calendar.ts'
import type { Evidence } from './confidence.ts'
import type { Signal } from './hit.ts'
import type { Part, PartName, SignalInput } from './part.ts'
import { readQuestion } from './question.ts'
import { shortlist } from './shortlist.ts'
import { date } from './signals/date.ts'
import { meaning } from './signals/meaning.ts'
import { order } from './signals/order.ts'
import { person } from './signals/person.ts'
import { sessionMeaning } from './signals/session.ts'
import { speaker } from './signals/speaker.ts'
import { talk } from './signals/talk.ts'
import { ofItsSpeaker, question, when } from './signals/traits.ts'
import { around, matchedWords } from './signals/words.ts'
import { addTo, gateOf, mostOf, talksOf } from './sums.ts'
import { decayOf, type Wanted } from './wanted.ts'
import { leastAbout, leastRelevance, talks, weights } from './weights.ts'
import { candidatesWithoutVector, countWithoutVector } from './without-vector.ts'

const dayMs = 86_400_000

/** Signals, in the order in which they are told. */
const apart = [speaker, person, matchedWords, meaning, date, when, question]
const signals = [speaker, person, matchedWords, around, meaning, talk, sessionMeaning, ofItsSpeaker, date, when, question]

/** The signals that cost no more than a look: speaker and time. They help to choose the candidates. */
const whatTheyAre = [speaker, person, date, when]

/** The choice of candidates and the way of ranking. */
export interface RankOptions extends Wanted {
  readonly calendar: AskedCalendar
  readonly minScore: number
  /** The most messages that lead to candidates (shortlist.ts). */
  readonly most: number
  /** True when each text stands by itself. Derived texts are no talk, in which one message leads to the next. */
  readonly isApart?: boolean
  /**
   * The least own cosine of a hit that shares no telling word. Words like "who", "is" and "to" count for nothing then.
   * Default: `leastAbout` decides.
   */
  readonly leastMeaning?: number
  /**
   * True when words or meaning, the higher of the two, count in full by themselves: a passage about one thing answers
   * by either.
   */
  readonly isByEither?: boolean
}

/** A candidate: its message's number and ordinal, and its place among the candidates. */
export interface Ranked {
  readonly doc: number
  readonly ord: number
  readonly at: number
  readonly score: number
}

/** The least gate of a hit that shares no telling word: a lower one is no answer. */
const leastGate = leastAbout / leastRelevance

// Buffers that all questions share, within one synchronous piece. A ranking keeps its own copies.
const scorer = new WordScorer()
let room = new Float32Array(0)

/**
 * Ranks a partition's messages for a question, in one synchronous piece. A ranking stays good while others go on with
 * the segment. It reads only columns that never change for a message: ordinal, time, speaker.
 */
export function rank(index: Index, asked: { text: string; vector: Float32Array | undefined }, options: RankOptions): Ranking {
  const { segment } = index
  const read = readQuestion(segment, asked.text, index.vectors === undefined ? undefined : asked.vector, options.calendar)
  const cosines = cosinesOf(index, asked.vector)
  const words = scorer.find(segment, read.words)
  const is = (docs: Int32Array): Part[] => whatTheyAre.flatMap((signal) => signal({ segment, question: read, candidates: docs }) ?? [])
  const talk = options.isApart === true ? apartIn(segment) : segment
  const candidates = shortlist(talk, { own: words.own, cosines, is }, options, options.most)
  const windows = windowsOf(talk, candidates)
  const scores = scorer.score(segment, words, candidates, windows)
  return new Ranking({ segment, question: read, candidates, windows, words: words.words, scores, cosines }, options)
}

/** Some messages of a partition as an index of their own. */
export interface Excerpt {
  readonly segment: Segment
  readonly cosines: Float32Array
  /** The messages after this ordinal are read for those before it: they are ranked elsewhere. */
  readonly upTo: number
}

/**
 * Ranks the messages of an excerpt, on the scale of the ranking of the rest: words weigh the same, and a score is a share of
 * the same sum. One synchronous piece, as `rank`.
 */
export function rankAs(
  rest: Ranking,
  { segment, cosines, upTo }: Excerpt,
  asked: { readonly text: string; readonly vector: Float32Array },
  options: RankOptions,
): Ranking {
  const read = { ...readQuestion(segment, asked.text, asked.vector, options.calendar), order: undefined }
  const words = scorer.findAs(segment, rest.words)
  const all = shortlist(segment, { own: words.own, cosines, is: () => [] }, options, options.most)
  const candidates = all.filter((doc) => (segment.ords[doc] ?? 0) <= upTo)
  const windows = windowsOf(segment, candidates)
  const scores = scorer.score(segment, words, candidates, windows)
  return new Ranking({ segment, question: read, candidates, windows, words: words.words, scores, cosines }, options, rest)
}

/** Gives a segment in which no message has neighbours. */
function apartIn({ count, dead, lengths, saidAt, sessions }: Segment): Parameters<typeof shortlist>[0] {
  const none = new Int32Array(count).fill(-1)
  return { count, dead, lengths, saidAt, sessions, next: none, previous: none }
}

function cosinesOf({ segment, vectors }: Index, vector: Float32Array | undefined): Float32Array | undefined {
  if (vectors === undefined || vector === undefined) return undefined
  if (room.length <= segment.count) room = new Float32Array(segment.count + 1 + (segment.count >> 2))
  vectors.scan(vector, room)
  return room
}

/** The best messages for a question, with an account of each one's score. */
export class Ranking {
  /** Live messages without a vector; 0 when there is no question's vector. */
  readonly withoutVector: number
  /** The words of the question that weigh something here. Their lists are good until others go on with the segment. */
  readonly words: readonly FoundWord[]
  readonly #candidates: Int32Array
  readonly #ords: Int32Array
  readonly #saidAt: Float64Array
  readonly #isByWord: Uint8Array
  readonly #options: RankOptions
  #parts: readonly Part[]
  /** The part, 0 to 1, at which a candidate's `is` signals count. */
  readonly #gate: Float32Array
  readonly #totals: Float64Array
  readonly #either: readonly Part[]
  /** The kind of talk of each candidate, and the highest sum that a message could reach in each: a score is a share of it. */
  readonly #talks: Uint8Array
  #most: readonly number[]
  /** The evidence that all candidates share. */
  readonly #whole: Pick<Evidence, 'known' | 'messages' | 'english'>
  /** 1 for each candidate without a vector; undefined when all have one, or the question has none. */
  readonly #isWithoutVector: Uint8Array | undefined

  /** `rest`: another ranking, on whose scale this one is. */
  constructor(input: SignalInput, options: RankOptions, rest?: Ranking) {
    this.words = input.words
    this.#candidates = input.candidates
    this.#ords = input.segment.ords
    this.#saidAt = input.segment.saidAt
    this.#isByWord = input.scores.isByWord
    this.withoutVector = countWithoutVector(input)
    this.#isWithoutVector = this.withoutVector === 0 ? undefined : candidatesWithoutVector(input)
    const own = { known: knownShare(input.words), messages: input.segment.live, english: input.segment.shareIn('en') }
    this.#whole = rest === undefined ? own : rest.#whole
    this.#options = options
    const parts = (options.isApart === true ? apart : signals).flatMap((signal) => signal(input) ?? [])
    const asked = options.isApart === true ? undefined : input.question.order
    this.#talks = options.isApart === true ? new Uint8Array(input.candidates.length) : talksOf(input)
    const least = rest === undefined ? [] : rest.#most
    this.#most = mostOf(parts).map((most, talk) => Math.max(most, least[talk] ?? 0))
    this.#parts = parts
    this.#either = options.isByEither === true ? this.#parts.filter(({ name }) => name === 'words' || name === 'meaning') : []
    this.#gate = gateOf(input.candidates.length, this.#parts)
    this.#totals = new Float64Array(input.candidates.length)
    for (const part of parts) this.#add(part)
    const last = asked === undefined ? undefined : order(input, this.#totals, asked)
    if (last !== undefined) this.#addLast(last)
  }

  /** Adds the signal that is made from the sum of the others. That sum becomes a part of a higher one. */
  #addLast(last: Part): void {
    const before = this.#most
    this.#parts = [...this.#parts, last]
    this.#most = mostOf(this.#parts)
    const shares = before.map((most, talk) => most / (this.#most[talk] ?? most))
    for (let at = 0; at < this.#totals.length; at += 1) this.#totals[at] = (this.#totals[at] ?? 0) * (shares[this.#talks[at] ?? 0] ?? 1)
    this.#add(last)
  }

  #add({ name, kind, values }: Part): void {
    addTo(
      this.#totals,
      values,
      this.#talks,
      talks.map((talk, place) => weights[name][talk] / (this.#most[place] ?? 1)),
      kind === 'is' ? this.#gate : undefined,
    )
  }

  /** Gives the weight of a signal in the score of a candidate. */
  #weight(name: PartName, at: number): number {
    const talk = this.#talks[at] ?? 0
    return weights[name][talks[talk] ?? 'people'] / (this.#most[talk] ?? 1)
  }

  /** The number of candidates. */
  get matched(): number {
    return this.#candidates.length
  }

  /**
   * Gives the best candidates, at most `most`. The same store and question give the same order; of equal scores the
   * one said last comes first, then the one stored last.
   */
  best(most: number): Ranked[] {
    const candidates = this.#candidates
    const { minScore } = this.#options
    const heap = new Best(Math.min(most, candidates.length), (at) => this.#saidAt[candidates[at] ?? 0] ?? 0)
    for (let at = 0; at < candidates.length; at += 1) {
      const score = this.#total(at) * this.#decay(at)
      if (score > 0 && score >= minScore && score >= heap.least && this.#isHit(at)) heap.offer(at, score)
    }
    // Candidates ascend as messages do.
    return heap.take().map(({ doc: at, score }) => ({ at, score, doc: candidates[at] ?? 0, ord: this.#ords[candidates[at] ?? 0] ?? 0 }))
  }

  /** Sets a candidate's cosine to a more precise one. */
  refine(at: number, cosine: number): void {
    const part = this.#meant
    if (part === undefined) return
    const value = Math.max(0, cosine)
    this.#totals[at] = (this.#totals[at] ?? 0) + this.#weight('meaning', at) * (value - (part.values[at] ?? 0))
    part.values[at] = value
  }

  /** Gives the parts of a candidate's score, which add up to it. */
  signals(at: number): Signal[] {
    const doc = this.#candidates[at] ?? 0
    const told = this.#parts.map((part): Signal => ({
      name: part.name,
      value: this.#share(part, at),
      text: part.text(doc, part.values[at] ?? 0, at),
    }))
    const days = Math.floor(Math.max(0, this.#options.now - (this.#saidAt[doc] ?? 0)) / dayMs)
    const sum = this.#total(at)
    const more = sum - told.reduce((total, { value }) => total + value, 0)
    const leading = more > 0 ? told.findIndex(({ name }) => name === this.#eitherOf(at)?.name) : -1
    const all = told.map((one, place) => (place === leading ? { ...one, value: one.value + more } : one))
    return [...all, { name: 'age' as const, value: sum * (this.#decay(at) - 1), text: `said ${days} days ago` }].filter(
      ({ value }) => value !== 0,
    )
  }

  /**
   * Gives the evidence of a candidate for the whole answer; of the best one if it is the first hit. Its age does not count.
   * A message whose vector is still to be made counts by its words alone.
   */
  evidence(at: number): Evidence {
    const isByWords = this.#isWithoutVector?.[at] === 1 && this.#isByWord[at] === 1
    const [score, cosine] = isByWords ? [this.#scoreByWords(at), undefined] : [this.#total(at), this.#meant?.values[at]]
    return { ...this.#whole, score, cosine, said: this.#parts.find(({ name }) => name === 'words')?.values[at] ?? 0 }
  }

  /** Gives the score that a candidate would have without vectors. */
  #scoreByWords(at: number): number {
    const byVector = this.#parts.filter(({ name }) => name === 'meaning' || name === 'talk' || name === 'session')
    const most = byVector.reduce((left, { name }) => left - this.#weight(name, at), 1)
    return (
      Math.max(
        0,
        byVector.reduce((left, part) => left - this.#share(part, at), this.#total(at)),
      ) / most
    )
  }

  #total(at: number): number {
    if (this.#either.length === 0) return Math.max(this.#totals[at] ?? 0, 0)
    return Math.max(this.#totals[at] ?? 0, this.#eitherOf(at)?.values[at] ?? 0)
  }

  /** Gives the higher of words and meaning, where each may count by itself. */
  #eitherOf(at: number): Part | undefined {
    let most: Part | undefined
    for (const part of this.#either) if ((part.values[at] ?? 0) > (most?.values[at] ?? 0)) most = part
    return most
  }

  get #meant(): Part | undefined {
    return this.#parts.find(({ name }) => name === 'meaning')
  }

  #isHit(at: number): boolean {
    if (this.#isByWord[at] === 1) return true
    const { leastMeaning } = this.#options
    return leastMeaning === undefined ? (this.#gate[at] ?? 0) >= leastGate : (this.#meant?.values[at] ?? 0) >= leastMeaning
  }

  #share({ name, kind, values }: Part, at: number): number {
    const value = this.#weight(name, at) * (values[at] ?? 0)
    return kind === 'is' ? value * (this.#gate[at] ?? 0) : value
  }

  #decay(at: number): number {
    if (this.#options.halfLifeDays === undefined) return 1
    return decayOf(this.#saidAt[this.#candidates[at] ?? 0] ?? 0, this.#options)
  }
}
