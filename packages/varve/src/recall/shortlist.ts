import type { FoundWords } from '../index/score-words.ts'
import type { Segment } from '../index/segment.ts'
import { noVector } from '../index/vectors/vector-codes.ts'
import { reach } from '../index/windows.ts'
import { leastCosine } from './weights.ts'

/** What of a segment is looked at here. */
type Talk = Pick<Segment, 'count' | 'dead' | 'lengths' | 'next' | 'previous' | 'saidAt' | 'sessions'>

/** Which messages may be found, and how age counts. Sessions are numbers of the store. */
export interface Wanted {
  readonly session: number | undefined
  readonly excludeSession: number | undefined
  readonly from: number
  readonly to: number
  readonly halfLifeDays: number | undefined
  readonly now: number
}

const dayMs = 86_400_000

/**
 * The messages that a question is ranked among, ascending: those that say a word that tells, or come near in meaning, at most `most` of them by the
 * two together, and all that were said near such a word. Where there are no more than that, it is all that may be found.
 */
export function shortlist(segment: Talk, { own }: Pick<FoundWords, 'own'>, cosines: Float32Array | undefined, wanted: Wanted, most: number): Int32Array {
  const sources = findSources(segment, own, cosines, wanted)
  const isChosen = new Uint8Array(segment.count)
  const least = leastStep(sources, most)
  let left = least.left
  // Of the last step that has room the newest.
  for (let place = sources.size - 1; place >= 0; place -= 1) {
    const step = sources.steps[place] ?? 0
    if (step < least.step || (step === least.step && left <= 0)) continue
    if (step === least.step) left -= 1
    choose(segment, sources.docs[place] ?? 0, own, isChosen)
  }
  return wantedOf(segment, isChosen, wanted)
}

/** How much of its score a message keeps at its age. */
export function decayOf(saidAt: number, { halfLifeDays, now }: Wanted): number {
  return halfLifeDays === undefined ? 1 : 0.5 ** (Math.max(0, now - saidAt) / dayMs / halfLifeDays)
}

/** Messages that lead to others and themselves, each with a first score: words and meaning, in so many steps up to the most that it can be. */
interface Sources {
  readonly docs: Int32Array
  readonly steps: Uint16Array
  readonly size: number
}

const mostStep = 1023
const stepsPerPoint = 512

/** A plain loop: a function called for each of tens of thousands took most of the time. */
function findSources(segment: Talk, own: Float32Array, cosines: Float32Array | undefined, wanted: Wanted): Sources {
  const { count, dead, saidAt } = segment
  const [docs, steps] = [new Int32Array(count), new Uint16Array(count)]
  const isFiltered = wanted.session !== undefined || wanted.excludeSession !== undefined || Number.isFinite(wanted.from) || Number.isFinite(wanted.to)
  const ages = wanted.halfLifeDays !== undefined
  let size = 0
  for (let doc = 0; doc < count; doc += 1) {
    const said = own[doc] ?? 0
    const cosine = cosines === undefined ? noVector : (cosines[doc] ?? noVector)
    if ((said === 0 && cosine < leastCosine) || dead[doc] === 1) continue
    if (isFiltered && !mayLead(segment, doc, said > 0, wanted)) continue
    const score = (cosine > 0 ? said + cosine : said) * (ages ? decayOf(saidAt[doc] ?? 0, wanted) : 1)
    docs[size] = doc
    steps[size] = Math.min(mostStep, score * stepsPerPoint)
    size += 1
  }
  return { docs, steps, size }
}

/** The lowest step of which some are chosen, and how many. */
function leastStep({ steps, size }: Sources, most: number): { step: number; left: number } {
  const counts = new Int32Array(mostStep + 1)
  for (let place = 0; place < size; place += 1) counts[steps[place] ?? 0] = (counts[steps[place] ?? 0] ?? 0) + 1
  let [step, left] = [mostStep, most]
  for (; step > 0 && left >= (counts[step] ?? 0); step -= 1) left -= counts[step] ?? 0
  return { step, left }
}

/** Chooses a message, and what was said near it when it says a word that tells. */
function choose({ next, previous }: Talk, doc: number, own: Float32Array, isChosen: Uint8Array): void {
  isChosen[doc] = 1
  if (own[doc] === 0) return
  for (const column of [next, previous]) {
    let other = column[doc] ?? -1
    for (let step = 0; step < reach && other >= 0; step += 1) {
      isChosen[other] = 1
      other = column[other] ?? -1
    }
  }
}

function wantedOf(segment: Talk, isChosen: Uint8Array, wanted: Wanted): Int32Array {
  const chosen = new Int32Array(isChosen.length)
  let size = 0
  for (let doc = 0; doc < isChosen.length; doc += 1) {
    if (isChosen[doc] === 0 || segment.dead[doc] === 1 || segment.lengths[doc] === 0) continue
    if (!isInSession(segment, doc, wanted) || !isInTime(segment, doc, wanted)) continue
    chosen[size] = doc
    size += 1
  }
  return chosen.slice(0, size)
}

/** Whether a message may be found, or, when it says a word, one near it: of another time perhaps, but never of another session. */
function mayLead(segment: Talk, doc: number, says: boolean, wanted: Wanted): boolean {
  if (!isInSession(segment, doc, wanted)) return false
  return isInTime(segment, doc, wanted) || (says && isNearTime(segment, doc, wanted))
}

function isNearTime(segment: Talk, doc: number, wanted: Wanted): boolean {
  return [segment.next, segment.previous].some((column) => {
    let other = column[doc] ?? -1
    for (let step = 0; step < reach && other >= 0; step += 1) {
      if (isInTime(segment, other, wanted)) return true
      other = column[other] ?? -1
    }
    return false
  })
}

function isInSession({ sessions }: Talk, doc: number, { session, excludeSession }: Wanted): boolean {
  const said = sessions[doc]
  return said !== excludeSession && (session === undefined || said === session)
}

function isInTime({ saidAt }: Talk, doc: number, { from, to }: Wanted): boolean {
  const at = saidAt[doc] ?? 0
  return at >= from && at <= to
}
