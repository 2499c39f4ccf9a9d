import type { FoundWords } from '../index/score-words.ts'
import type { Segment } from '../index/segment.ts'
import { noVector } from '../index/vectors/vector-codes.ts'
import { reach } from '../index/windows.ts'
import { Best } from './best.ts'
import type { Part } from './part.ts'
import { decayOf, isInSession, isInTime, isUnfiltered, mayLead, type Wanted } from './wanted.ts'
import { firstWeight, leastCosine } from './weights.ts'

/** The columns of a segment that the shortlist reads. */
type Talk = Pick<Segment, 'count' | 'dead' | 'lengths' | 'next' | 'previous' | 'saidAt' | 'sessions'>

/** A question's first scores by message: words, meaning, and the signals on speaker and time. */
export interface FirstScores extends Pick<FoundWords, 'own'> {
  readonly cosines: Float32Array | undefined
  /** Gives the `is` signals that speak for the question, of some messages. */
  readonly is: (docs: Int32Array) => readonly Pick<Part, 'name' | 'values'>[]
}

/**
 * Chooses the messages that a question is ranked among, ascending. A message leads when it says a telling word or comes
 * near in meaning. At most `most` lead: the best by words, meaning, speaker and time. A message that leads by a word
 * brings the messages near it. When no more than `most` lead, none is left out.
 */
export function shortlist(segment: Talk, first: FirstScores, wanted: Wanted, most: number): Int32Array {
  room.for(segment.count)
  const leading = leadingOf(segment, first, wanted, most)
  const isChosen = room.isChosen.subarray(0, segment.count).fill(0)
  const chosen = leading.docs.length <= most ? leading.docs : bestOf(segment, leading.docs, stepsOf(segment, leading, first, wanted), most)
  for (let place = 0; place < chosen.length; place += 1) choose(segment, chosen[place] ?? 0, first.own, isChosen)
  return wantedOf(segment, isChosen, wanted)
}

/** Messages that lead, each with the sum of its words and its meaning: 0 to 2. */
interface Leading {
  readonly docs: Int32Array
  readonly about: Float32Array
}

/** The length of a loop in one call (collect). */
const stretch = 512

/**
 * Buffers that all questions share, within one synchronous piece. New buffers for each, some hundred kilobytes a time,
 * made the garbage collector mark everything every few questions.
 */
class Room {
  docs = new Int32Array(0)
  about = new Float32Array(0)
  scores = new Float32Array(0)
  steps = new Uint16Array(0)
  isChosen = new Uint8Array(0)
  chosen = new Int32Array(0)

  for(count: number): void {
    if (this.docs.length >= count) return
    const size = count + (count >> 2)
    this.docs = new Int32Array(size)
    this.about = new Float32Array(size)
    this.scores = new Float32Array(size)
    this.steps = new Uint16Array(size)
    this.isChosen = new Uint8Array(size)
    this.chosen = new Int32Array(size)
  }
}

const room = new Room()

/** So many times `most` are gathered before those are dropped that can no longer be among the best. */
const gathered = 4

/**
 * Gathers the messages that lead. The best so far set a bound for all that follow, and few reach it. To gather all
 * first and compare them afterwards took half as long again. Where age counts there is no bound, since age is reckoned
 * from the newest of them.
 */
function leadingOf(segment: Talk, first: FirstScores, wanted: Wanted, most: number): Leading {
  const isFiltered = !isUnfiltered(wanted)
  let full = wanted.halfLifeDays === undefined ? gathered * most : Number.POSITIVE_INFINITY
  let size = 0
  // By words alone any word leads, and few messages say one.
  let least = first.cosines === undefined ? Number.MIN_VALUE : 0
  const branches = (): boolean => first.cosines === undefined || least > leastCosine
  for (let from = 0; from < segment.count; from += stretch) {
    const before = size
    size = branches() ? collectOver(segment, first, room, from, size, least) : collect(segment, first, room, from, size)
    if (isFiltered) size = keepWanted(segment, room, before, size, wanted, first.own)
    if (size < full) continue
    least = Math.max(least, leastPromising(segment, leadingIn(size), first, wanted, most))
    size = keepPromising(room, size, least)
    full = Math.max(full, 2 * size)
  }
  return leadingIn(size)
}

/** Gives the part of the buffers that is filled. */
function leadingIn(size: number): Leading {
  return { docs: room.docs.subarray(0, size), about: room.about.subarray(0, size) }
}

/**
 * Gathers over one stretch. V8 runs the first turns of a long loop slowly each time it is entered. A short loop that is
 * called often runs at full speed (half of the time). Each message is written, and counted when it leads: a branch that
 * goes now one way and now the other costs more.
 */
function collect(
  { count, dead, lengths }: Talk,
  { own, cosines }: FirstScores,
  { docs, about }: Leading,
  from: number,
  size: number,
): number {
  const to = Math.min(count, from + stretch)
  let next = size
  for (let doc = from; doc < to; doc += 1) {
    const said = own[doc] ?? 0
    const cosine = cosines === undefined ? noVector : (cosines[doc] ?? noVector)
    docs[next] = doc
    about[next] = said + Math.max(0, cosine)
    next += Number(said > 0 || cosine >= leastCosine) & Number(dead[doc] === 0) & Number(lengths[doc] !== 0)
  }
  return next
}

/** Gathers over one stretch the messages that reach `least`. Few do, so that a branch is cheap. */
function collectOver(segment: Talk, first: FirstScores, { docs, about }: Leading, from: number, size: number, least: number): number {
  const { count, dead, lengths } = segment
  const { own, cosines } = first
  const to = Math.min(count, from + stretch)
  let next = size
  for (let doc = from; doc < to; doc += 1) {
    const said = own[doc] ?? 0
    const cosine = cosines === undefined ? noVector : (cosines[doc] ?? noVector)
    if ((said < least && said + cosine < least) || dead[doc] !== 0 || lengths[doc] === 0) continue
    docs[next] = doc
    about[next] = said + Math.max(0, cosine)
    next += 1
  }
  return next
}

/** Moves the messages that may lead to the front, from a place on. Gives the end of them. */
function keepWanted(segment: Talk, { docs, about }: Leading, from: number, size: number, wanted: Wanted, own: Float32Array): number {
  let kept = from
  for (let place = from; place < size; place += 1) {
    const doc = docs[place] ?? 0
    if (!mayLead(segment, doc, (own[doc] ?? 0) > 0, wanted)) continue
    docs[kept] = doc
    about[kept] = about[place] ?? 0
    kept += 1
  }
  return kept
}

const mostStep = 1023
/** The weights of all `is` signals add up to less than 4. */
const stepsPerPoint = 256

const noDocs = new Int32Array(0)

/** The most by which sums of 32-bit numbers may exceed those of 64-bit numbers. */
const rounding = 1e-4

/**
 * Gives the least sum of words and meaning with which a message may still be among the best. It is the score of the
 * last of the best so far, less all that speaker and time can add. They never count against a message here.
 */
function leastPromising(segment: Talk, some: Leading, first: FirstScores, wanted: Wanted, most: number): number {
  const added = first.is(noDocs).reduce((sum, { name }) => sum + firstWeight(name), 0)
  return lowestOf(countsOf(stepsOf(segment, some, first, wanted)), most).step / stepsPerPoint - added - rounding
}

/** Moves the messages that reach `least` to the front. Gives their number. */
function keepPromising(leading: Leading, size: number, least: number): number {
  let kept = 0
  for (let from = 0; from < size; from += stretch) kept = moveStretch(leading, from, Math.min(size, from + stretch), kept, least)
  return kept
}

function moveStretch({ docs, about }: Leading, from: number, to: number, size: number, least: number): number {
  let next = size
  for (let place = from; place < to; place += 1) {
    const said = about[place] ?? 0
    docs[next] = docs[place] ?? 0
    about[next] = said
    next += Number(said >= least)
  }
  return next
}

/**
 * Gives first scores, in whole steps. Speaker and time count in full here: the gate needs the talk around a message,
 * which is known only later.
 */
function stepsOf({ saidAt }: Talk, { docs, about }: Leading, { is }: FirstScores, { halfLifeDays, now }: Wanted): Uint16Array {
  const scores = room.scores.subarray(0, about.length)
  scores.set(about)
  for (const { name, values } of is(docs)) {
    for (let from = 0; from < scores.length; from += stretch) add(scores, values, firstWeight(name), from)
  }
  if (halfLifeDays !== undefined) {
    // Age is reckoned from the newest of them. With talk of many half-lives ago, nothing would be left to compare.
    let newest = Number.NEGATIVE_INFINITY
    for (let place = 0; place < docs.length; place += 1) newest = Math.max(newest, saidAt[docs[place] ?? 0] ?? 0)
    for (let place = 0; place < scores.length; place += 1)
      scores[place] = (scores[place] ?? 0) * decayOf(saidAt[docs[place] ?? 0] ?? 0, { halfLifeDays, now: Math.min(now, newest) })
  }
  const steps = room.steps.subarray(0, scores.length)
  for (let from = 0; from < steps.length; from += stretch) stepEach(scores, steps, from)
  return steps
}

function add(scores: Float32Array, values: Float32Array, weight: number, from: number): void {
  const to = Math.min(scores.length, from + stretch)
  for (let place = from; place < to; place += 1) scores[place] = (scores[place] ?? 0) + weight * (values[place] ?? 0)
}

function stepEach(scores: Float32Array, steps: Uint16Array, from: number): void {
  const to = Math.min(scores.length, from + stretch)
  for (let place = from; place < to; place += 1) steps[place] = Math.min(mostStep, (scores[place] ?? 0) * stepsPerPoint)
}

/** Gives the messages with the highest steps. Of the lowest step it takes those said last. */
function bestOf({ saidAt }: Talk, docs: Int32Array, steps: Uint16Array, most: number): Int32Array {
  const lowest = lowestOf(countsOf(steps), most)
  const last = new Best(lowest.of)
  const best = new Int32Array(most)
  let size = 0
  for (let place = docs.length - 1; place >= 0; place -= 1) {
    const step = steps[place] ?? 0
    const doc = docs[place] ?? 0
    if (step === lowest.step) last.offer(doc, saidAt[doc] ?? 0)
    else if (step > lowest.step) {
      best[size] = doc
      size += 1
    }
  }
  for (const { doc } of last.take()) {
    best[size] = doc
    size += 1
  }
  return best.subarray(0, size)
}

/** Counts the messages of each step. */
function countsOf(steps: Uint16Array): Int32Array {
  const counts = new Int32Array(mostStep + 1)
  for (let place = 0; place < steps.length; place += 1) {
    const step = steps[place] ?? 0
    counts[step] = (counts[step] ?? 0) + 1
  }
  return counts
}

/** Finds the lowest step among the best, and the number of its messages that belong to them. */
function lowestOf(counts: Int32Array, most: number): { readonly step: number; readonly of: number } {
  let step = mostStep
  let left = most
  for (; step > 0 && left >= (counts[step] ?? 0); step -= 1) left -= counts[step] ?? 0
  return { step, of: left }
}

/** Chooses a message. A message with a telling word brings its neighbours. */
function choose({ next, previous }: Talk, doc: number, own: Float32Array, isChosen: Uint8Array): void {
  isChosen[doc] = 1
  if (own[doc] === 0) return
  chooseAlong(next, doc, isChosen)
  chooseAlong(previous, doc, isChosen)
}

function chooseAlong(column: Int32Array, doc: number, isChosen: Uint8Array): void {
  let other = column[doc] ?? -1
  for (let step = 0; step < reach && other >= 0; step += 1) {
    isChosen[other] = 1
    other = column[other] ?? -1
  }
}

function wantedOf(segment: Talk, isChosen: Uint8Array, wanted: Wanted): Int32Array {
  const { chosen } = room
  let size = 0
  for (let from = 0; from < isChosen.length; from += stretch) size = listChosen(isChosen, from, size, chosen)
  let kept = 0
  for (let place = 0; place < size; place += 1) {
    const doc = chosen[place] ?? 0
    if (segment.dead[doc] === 1 || segment.lengths[doc] === 0) continue
    if (!isInSession(segment, doc, wanted) || !isInTime(segment, doc, wanted)) continue
    chosen[kept] = doc
    kept += 1
  }
  return chosen.slice(0, kept)
}

/** Lists the chosen. Each is written, as in `collect`. */
function listChosen(isChosen: Uint8Array, from: number, size: number, chosen: Int32Array): number {
  const to = Math.min(isChosen.length, from + stretch)
  let next = size
  for (let doc = from; doc < to; doc += 1) {
    chosen[next] = doc
    next += isChosen[doc] ?? 0
  }
  return next
}
