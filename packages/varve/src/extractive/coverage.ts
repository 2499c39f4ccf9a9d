import { paraphrase } from './vectors.ts'
import type { Unit } from './units.ts'
import { countWords, cutWords } from './words.ts'

/** A message, or a sentence written before, that a gist should cover. */
export interface Topic {
  /** Terms with their weights. The weights add up to 1. */
  readonly terms: ReadonlyMap<string, number>
  readonly worth: number
  /** Of length 1. */
  readonly vector?: Float32Array | undefined
}

export interface Budget {
  /** Sentences or bullets. */
  readonly most: number
  readonly maxWords: number
}

/** Once this share of a message's content is covered, further words are better spent on another message. */
const saturation = 0.6

/**
 * The weight of a sentence's share of the sentence bound against its share of the word bound. The bound on sentences is
 * reached first.
 */
const sentenceCost = 4

/** A sentence cut to fewer words than this says nothing. */
const fewestWords = 4

/**
 * Chooses the sentences that cover most of the topics: greedily, best first, until no sentence that fits adds anything. The
 * objective is the saturated coverage of Lin and Bilmes, A class of submodular functions for document summarization (2011).
 */
export function chooseUnits(units: readonly Unit[], topics: readonly Topic[], { most, maxWords }: Budget): Unit[] {
  const usable = units.some(({ words }) => words <= maxWords) ? units : units.flatMap((unit) => shortened(unit, maxWords))
  const state: State = { topics, about: topicsByTerm(topics), covered: topics.map(() => 0), written: new Set(), chosen: [] }
  for (let left = maxWords; state.chosen.length < most;) {
    let best: Unit | undefined
    let bestRate = 0
    for (const unit of usable) {
      if (unit.words > left || state.chosen.some((other) => overlaps(unit, other))) continue
      const rate = gain(unit, state) / (unit.words / maxWords + sentenceCost / most)
      if (rate > bestRate) [best, bestRate] = [unit, rate]
    }
    if (best === undefined) break
    write(best, state)
    left -= best.words
  }
  return state.chosen
}

function shortened(unit: Unit, maxWords: number): Unit[] {
  const text = cutWords(unit.text, maxWords)
  const words = countWords(text)
  return words < fewestWords ? [] : [{ ...unit, text, words }]
}

interface State {
  readonly topics: readonly Topic[]
  /** The topics that each term stands in, with its weight there. */
  readonly about: ReadonlyMap<string, readonly (readonly [topic: number, weight: number])[]>
  /** The share of each topic that is written, from 0 to 1. */
  readonly covered: number[]
  readonly written: Set<string>
  readonly chosen: Unit[]
}

function overlaps(a: Unit, b: Unit): boolean {
  return a.of === b.of && a.first <= b.last && b.first <= a.last
}

function topicsByTerm(topics: readonly Topic[]): State['about'] {
  const about = new Map<string, (readonly [number, number])[]>()
  for (const [topic, { terms }] of topics.entries()) {
    for (const [term, weight] of terms) {
      const known = about.get(term)
      if (known === undefined) about.set(term, [[topic, weight]])
      else known.push([topic, weight])
    }
  }
  return about
}

function gain(unit: Unit, { topics, about, covered, written, chosen }: State): number {
  const added = new Map<number, number>()
  for (const term of unit.terms) {
    if (written.has(term)) continue
    for (const [topic, weight] of about.get(term) ?? []) added.set(topic, (added.get(topic) ?? 0) + weight)
  }
  let sum = 0
  for (const [topic, weight] of added) {
    const before = covered[topic] ?? 0
    sum += (Math.min(saturation, before + weight) - Math.min(saturation, before)) * (topics[topic]?.worth ?? 0)
  }
  if (sum === 0) return 0
  const own = topics[unit.of]?.vector
  const repeats = Math.max(0, ...chosen.map(({ of }) => (of === unit.of ? 0 : paraphrase(own, topics[of]?.vector))))
  // The square root, because the message's worth already counts in the topics that are covered.
  return sum * Math.sqrt(unit.worth) * (1 - repeats)
}

function write(unit: Unit, { about, covered, written, chosen }: State): void {
  for (const term of unit.terms) {
    if (written.has(term)) continue
    written.add(term)
    for (const [topic, weight] of about.get(term) ?? []) covered[topic] = (covered[topic] ?? 0) + weight
  }
  chosen.push(unit)
}
