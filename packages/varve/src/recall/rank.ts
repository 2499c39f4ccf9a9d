import { WordScorer } from '../index/score-words.ts'
import type { Segment } from '../index/segment.ts'
import type { Index } from '../index/segments.ts'
import { noVector } from '../index/vectors/vector-codes.ts'
import { windowsOf } from '../index/windows.ts'
import { Best } from './best.ts'
import type { Signal } from './hit.ts'
import type { SignalGround, Part } from './part.ts'
import { readQuestion } from './question.ts'
import { shortlist } from './shortlist.ts'
import { date } from './signals/date.ts'
import { meaning } from './signals/meaning.ts'
import { person } from './signals/person.ts'
import { sessionMeaning } from './signals/session.ts'
import { speaker } from './signals/speaker.ts'
import { talk } from './signals/talk.ts'
import { question, when } from './signals/traits.ts'
import { around, matchedWords } from './signals/words.ts'
import { decayOf, type Wanted } from './wanted.ts'
import { leastAbout, leastRelevance, weights } from './weights.ts'

const dayMs = 86_400_000

/** In the order in which they are told. */
const apart = [speaker, person, matchedWords, meaning, date, when, question]
const signals = [speaker, person, matchedWords, around, meaning, talk, sessionMeaning, date, when, question]

/** Those that cost no more than looking: who said it, and when. They have a say in what is ranked at all. */
const whatTheyAre = [speaker, person, date, when]

/** What is ranked, and how. */
export interface RankOptions extends Wanted {
  readonly minScore: number
  /** Messages that lead to those that are ranked, at most (shortlist.ts). */
  readonly most: number
  /** Whether each stands by itself: what was derived is no talk, in which one thing leads to the next. */
  readonly isApart?: boolean
  /**
   * What no telling word leads to is a hit when its own cosine is as high: words like "who", "is" and "to" count for
   * nothing then. Default: by `leastAbout`.
   */
  readonly leastMeaning?: number
  /** Whether words or meaning, whichever says more, count in full by themselves: a passage about one thing answers by either. */
  readonly isByEither?: boolean
}

/** A candidate: its message's number and ordinal, and its place among the candidates. */
export interface Ranked {
  readonly doc: number
  readonly ord: number
  readonly at: number
  readonly score: number
}

/** The gate of what is no answer. */
const leastGate = leastAbout / leastRelevance

// Room that is used again from question to question, within one synchronous piece: what a ranking keeps is its own.
const scorer = new WordScorer()
let room = new Float32Array(0)

/**
 * Ranks a partition's messages for a question, in one synchronous piece. A ranking stays good while others go on with
 * the segment: of its columns it reads only what never changes for a message (its ordinal, its time, its speaker).
 */
export function rank(index: Index, asked: { text: string; vector: Float32Array | undefined }, options: RankOptions): Ranking {
  const { segment } = index
  const read = readQuestion(segment, asked.text, index.vectors === undefined ? undefined : asked.vector, options.now)
  const cosines = cosinesOf(index, asked.vector)
  const words = scorer.find(segment, read.words)
  const is = (docs: Int32Array): Part[] => whatTheyAre.flatMap((signal) => signal({ segment, question: read, candidates: docs }) ?? [])
  const talk = options.isApart === true ? apartIn(segment) : segment
  const candidates = shortlist(talk, { own: words.own, cosines, is }, options, options.most)
  const windows = windowsOf(talk, candidates)
  const scores = scorer.score(segment, words, candidates, windows)
  return new Ranking({ segment, question: read, candidates, windows, words: words.words, scores, cosines }, options)
}

/** A segment in which nothing stands beside anything. */
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

/** How far a loop over all messages goes in one call: short ones run at full speed (shortlist.ts). */
const stretch = 512

/** Messages that live and have no vector; 0 when there is no question to compare one with. */
function countWithoutVector({ segment, cosines }: SignalGround): number {
  // Most often none is: one look tells.
  if (cosines === undefined || !cosines.subarray(0, segment.count).includes(noVector)) return 0
  let found = 0
  for (let from = 0; from < segment.count; from += stretch) found += countStretch(segment, cosines, from)
  return found
}

function countStretch({ count, dead, lengths }: Segment, cosines: Float32Array, from: number): number {
  const to = Math.min(count, from + stretch)
  let found = 0
  for (let doc = from; doc < to; doc += 1) if (cosines[doc] === noVector && dead[doc] === 0 && (lengths[doc] ?? 0) > 0) found += 1
  return found
}

/** The best messages for a question, and an account of each one's score. */
export class Ranking {
  /** Messages that live and have no vector; 0 when there is no question to compare one with. */
  readonly withoutVector: number
  readonly #candidates: Int32Array
  readonly #ords: Int32Array
  readonly #saidAt: Float64Array
  readonly #isByWord: Uint8Array
  readonly #options: RankOptions
  readonly #parts: readonly Part[]
  /** How much of what a candidate is counts: 0 to 1. */
  readonly #gate: Float32Array
  readonly #totals: Float64Array
  readonly #either: readonly Part[]
  /** What a message could reach at most: a score is a share of it. */
  readonly #most: number

  constructor(ground: SignalGround, options: RankOptions) {
    this.#candidates = ground.candidates
    this.#ords = ground.segment.ords
    this.#saidAt = ground.segment.saidAt
    this.#isByWord = ground.scores.isByWord
    this.withoutVector = countWithoutVector(ground)
    this.#options = options
    this.#parts = (options.isApart === true ? apart : signals).flatMap((signal) => signal(ground) ?? [])
    this.#most = mostOf(this.#parts)
    this.#either = options.isByEither === true ? this.#parts.filter(({ name }) => name === 'words' || name === 'meaning') : []
    this.#gate = gateOf(ground.candidates.length, this.#parts)
    this.#totals = new Float64Array(ground.candidates.length)
    for (const { name, kind, values } of this.#parts)
      addTo(this.#totals, values, weights[name] / this.#most, kind === 'is' ? this.#gate : undefined)
  }

  /** How many are ranked. */
  get matched(): number {
    return this.#candidates.length
  }

  /** The best, at most as many as asked for; the same store and question give the same order: equal scores, newest first. */
  best(most: number): Ranked[] {
    const candidates = this.#candidates
    const { minScore } = this.#options
    const heap = new Best(Math.min(most, candidates.length))
    for (let at = 0; at < candidates.length; at += 1) {
      const score = this.#total(at) * this.#decay(at)
      if (score > 0 && score >= minScore && score >= heap.least && this.#isHit(at)) heap.offer(at, score)
    }
    // Candidates ascend as messages do.
    return heap.take().map(({ doc: at, score }) => ({ at, score, doc: candidates[at] ?? 0, ord: this.#ords[candidates[at] ?? 0] ?? 0 }))
  }

  /** Sets a candidate's cosine, known more precisely. */
  refine(at: number, cosine: number): void {
    const part = this.#meant
    if (part === undefined) return
    const value = Math.max(0, cosine)
    this.#totals[at] = (this.#totals[at] ?? 0) + (weights.meaning / this.#most) * (value - (part.values[at] ?? 0))
    part.values[at] = value
  }

  /** The parts of a candidate's score, which add up to it. */
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

  #total(at: number): number {
    if (this.#either.length === 0) return Math.max(this.#totals[at] ?? 0, 0)
    return Math.max(this.#totals[at] ?? 0, this.#eitherOf(at)?.values[at] ?? 0)
  }

  /** Of words and meaning the one that says more, where each may count by itself. */
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
    const value = (weights[name] / this.#most) * (values[at] ?? 0)
    return kind === 'is' ? value * (this.#gate[at] ?? 0) : value
  }

  #decay(at: number): number {
    if (this.#options.halfLifeDays === undefined) return 1
    return decayOf(this.#saidAt[this.#candidates[at] ?? 0] ?? 0, this.#options)
  }
}

/** What a message could reach: of `words` and `around`, which share one whole, the first is counted, and nothing that counts against it. */
function mostOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { name }) => (name === 'around' ? sum : sum + Math.max(0, weights[name])), 0) || 1
}

// Plain loops from here on: they run for tens of thousands of candidates, and a function called for each took most of a recall.

function addTo(totals: Float64Array, values: Float32Array, factor: number, gate: Float32Array | undefined): void {
  if (gate === undefined) for (let at = 0; at < totals.length; at += 1) totals[at] = (totals[at] ?? 0) + factor * (values[at] ?? 0)
  else for (let at = 0; at < totals.length; at += 1) totals[at] = (totals[at] ?? 0) + factor * (values[at] ?? 0) * (gate[at] ?? 0)
}

const none = new Float32Array(0)

function gateOf(size: number, parts: readonly Part[]): Float32Array {
  const valuesOf = (wanted: Part['name']): Float32Array => parts.find(({ name }) => name === wanted)?.values ?? none
  const [own, near, meant, around] = [valuesOf('words'), valuesOf('around'), valuesOf('meaning'), valuesOf('talk')]
  const gate = new Float32Array(size)
  for (let at = 0; at < size; at += 1) {
    const about = (own[at] ?? 0) + (near[at] ?? 0) + Math.max(meant[at] ?? 0, around[at] ?? 0)
    gate[at] = about >= leastRelevance ? 1 : about / leastRelevance
  }
  return gate
}
