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
  /** The weight of a line's share of the bound on lines against the share of the word bound that its words take. */
  readonly lineCost: number
}

/** Once this share of a message's content is covered, further words are better spent on another message. */
const saturation = 0.6

/** A sentence cut to fewer words than this says nothing. */
const fewestWords = 4

/**
 * Chooses the lines that cover most of the topics: greedily, best first, until none that fits adds anything. A line that was
 * chosen may grow by its neighbours. The objective is the saturated coverage of Lin and Bilmes, A class of submodular functions
 * for document summarization (2011).
 */
export function chooseUnits(units: readonly Unit[], topics: readonly Topic[], { most, maxWords, lineCost }: Budget): Unit[] {
  const usable = units.some(({ words }) => words <= maxWords) ? units : units.flatMap((unit) => shortened(unit, maxWords))
  const state: State = { topics, about: topicsByTerm(topics), covered: topics.map(() => 0), written: new Set(), chosen: [] }
  for (let left = maxWords; ;) {
    let best: Step | undefined
    for (const unit of usable) {
      const grown = state.chosen.filter((other) => overlaps(unit, other))
      const words = grown.reduce((sum, other) => sum - other.words, unit.words)
      const lines = 1 - grown.length
      if (words <= 0 || words > left || state.chosen.length + lines > most || !grown.every((other) => holds(unit, other))) continue
      const rate = gain(unit, state) / (words / maxWords + (lineCost * Math.max(0, lines)) / most)
      if (rate > (best?.rate ?? 0)) best = { unit, grown, words, rate }
    }
    if (best === undefined) return state.chosen
    write(best, state)
    left -= best.words
  }
}

/** A unit that may be written next, in the place of those that it holds. */
interface Step {
  readonly unit: Unit
  readonly grown: readonly Unit[]
  /** The words that it adds. */
  readonly words: number
  readonly rate: number
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
  chosen: Unit[]
}

function overlaps(a: Unit, b: Unit): boolean {
  return a.first <= b.last && b.first <= a.last
}

function holds(a: Unit, b: Unit): boolean {
  return a.first <= b.first && b.last <= a.last
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

function write({ unit, grown }: Step, state: State): void {
  const { about, covered, written, chosen } = state
  for (const term of unit.terms) {
    if (written.has(term)) continue
    written.add(term)
    for (const [topic, weight] of about.get(term) ?? []) covered[topic] = (covered[topic] ?? 0) + weight
  }
  state.chosen = [...chosen.filter((other) => !grown.includes(other)), unit]
}
