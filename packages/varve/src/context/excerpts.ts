import { mostCost, type Passage } from '../index/passages.ts'
import { merged } from '../messages/echo.ts'
import type { AskedWords } from '../recall/asked-words.ts'
import type { ComparedPassage } from '../recall/passages.ts'
import { type Stretch, unitsIn } from './units.ts'

/** The mark of a place where a text was cut. */
const cut = '[…]'

/** The estimated tokens of the marks around a window. */
const marksCost = 6

/** Less than this, in estimated tokens, shows nothing of a text. */
export const leastWindow = 24

/** A gap between two windows that costs no more than this is shown too: a mark costs half as much. */
const mostGap = 12

/** The most of a text that is read for one question, in UTF-16 code units: some 25 passages. */
const mostRead = 20_000

/**
 * The part of a word that counts for units one, two and three places away. An answer stands near the question's words
 * more often than among them.
 */
const nearness = [1, 0.8, 0.6, 0.4] as const

/** A unit with its worth for the question, per token. */
interface Valued extends Stretch {
  readonly value: number
}

/** A run of units, by their places: [first, last]. */
type Window = readonly [first: number, last: number]

/** Chooses the parts of a long text that matter for a question. */
export class Excerpts {
  readonly #text: string
  readonly #passages: readonly ComparedPassage[]
  readonly #words: AskedWords
  #units: readonly Valued[] | undefined

  /** Passages are the parts of the text that may be shown. Without any, its beginning may be. */
  constructor(text: string, passages: readonly ComparedPassage[], words: AskedWords) {
    this.#text = text
    this.#passages = passages
    this.#words = words
  }

  /**
   * Returns ranges of the text, in order and apart from each other, that cost about `most` tokens together. They are
   * runs of sentences: the run that is worth most, then the next one, each at most as long as a passage. A run tells
   * more than the same number of single sentences.
   */
  within(most: number): Passage[] {
    const units = (this.#units ??= this.#valued())
    const chosen = new Set<number>()
    let left = most
    while (left >= leastWindow) {
      const window = bestWindow(units, chosen, Math.min(left, mostCost + marksCost))
      if (window === undefined) break
      for (let place = window[0]; place <= window[1]; place += 1) {
        chosen.add(place)
        left -= units[place]?.cost ?? 0
      }
      left -= marksCost
    }
    return joined(units, chosen)
  }

  /** Gives ranges of the text as one line of talk, with […] where it was cut. */
  render(ranges: readonly Passage[]): string {
    const [first, last] = [ranges[0], ranges.at(-1)]
    if (first === undefined || last === undefined) return ''
    const parts = ranges.map(({ from, to }) => this.#text.slice(from, to))
    if (this.#text.slice(0, first.from).trim() !== '') parts.unshift('')
    if (this.#text.slice(last.to).trim() !== '') parts.push('')
    return parts.join(` ${cut} `).trim()
  }

  #valued(): Valued[] {
    const units = unitsIn(this.#text, this.#ranges())
    const said = units.map(({ from, to }) => this.#words.saidIn(this.#text.slice(from, to)))
    return units.map((unit, at) => ({ ...unit, value: this.#cosineAt(unit.from) + this.#wordsNear(said, at) }))
  }

  #cosineAt(at: number): number {
    return this.#passages.reduce((most, { from, to, cosine }) => (from <= at && at < to ? Math.max(most, cosine) : most), 0)
  }

  #wordsNear(said: readonly ReadonlySet<number>[], at: number): number {
    let value = 0
    for (const [word, weight] of this.#words.weights.entries()) {
      const near = nearness.find((_, away) => said[at - away]?.has(word) === true || said[at + away]?.has(word) === true)
      value += weight * (near ?? 0)
    }
    return value
  }

  #ranges(): Passage[] {
    if (this.#passages.length === 0) return [{ from: 0, to: Math.min(this.#text.length, mostRead) }]
    let length = 0
    const read: Passage[] = []
    for (const passage of this.#passages.toSorted((a, b) => b.cosine - a.cosine || a.from - b.from)) {
      length += passage.to - passage.from
      if (length > mostRead && read.length > 0) break
      read.push(passage)
    }
    return merged(read)
  }
}

/** Returns the run of free units that is worth most within a cost; the first of equals. One unit may cost more. */
function bestWindow(units: readonly Valued[], chosen: ReadonlySet<number>, most: number): Window | undefined {
  let best: Window | undefined
  let bestWorth = 0
  for (let first = 0; first < units.length; first += 1) {
    let cost = marksCost
    let worth = 0
    for (let last = first; last < units.length && !chosen.has(last); last += 1) {
      const unit = units[last]
      if (unit === undefined) break
      cost += unit.cost
      if (cost > most && last > first) break
      // A unit without any worth still fills a window: it is part of the talk.
      worth += (unit.value + leastWorth) * unit.cost
      if (worth > bestWorth) [best, bestWorth] = [[first, last], worth]
    }
  }
  return best
}

const leastWorth = 0.001

/** Joins chosen units of a range that stand next to each other, or nearly so. Text outside the ranges is never shown. */
function joined(units: readonly Stretch[], chosen: ReadonlySet<number>): Passage[] {
  const ranges: { from: number; to: number }[] = []
  let gap = 0
  let before = -1
  for (const [place, { from, to, cost, range }] of units.entries()) {
    if (!chosen.has(place)) {
      gap += cost
      continue
    }
    const last = ranges.at(-1)
    if (last !== undefined && range === before && gap <= mostGap) last.to = to
    else ranges.push({ from, to })
    before = range
    gap = 0
  }
  return ranges
}
