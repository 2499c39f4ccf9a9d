import { costOf, mostCost, type Passage } from '../index/passages.ts'
import { merged } from '../messages/echo.ts'
import type { AskedWords } from '../recall/asked-words.ts'
import type { MessageHit } from '../recall/hit.ts'
import type { ComparedPassage } from '../recall/passages.ts'
import { type EndNote, endNotes } from './ended-notes.ts'
import { saidText, textOfRanges } from './said-text.ts'
import { type Stretch, unitsIn } from './units.ts'
import { wordedRanges, worthIn } from './worded-ranges.ts'

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

/** A text of which parts are shown. */
type ExcerptsOf = Pick<MessageHit, 'text' | 'recalled' | 'superseded'>

/** Chooses the parts of a long text that matter for a question. */
export class Excerpts {
  readonly #text: string
  readonly #passages: readonly ComparedPassage[]
  readonly #words: AskedWords
  readonly #notes: readonly EndNote[]
  readonly #recalled: MessageHit['recalled']
  #units: readonly Valued[] | undefined

  /**
   * Passages are the parts of the text that may be shown. Of a long one those with the question's words may be. Notes
   * stand behind the statements on which they are, where these are shown. The whole is shown without `recalled`.
   */
  constructor({ text, recalled, superseded }: ExcerptsOf, passages: readonly ComparedPassage[], words: AskedWords) {
    this.#text = text
    this.#passages = passages
    this.#words = words
    this.#notes = endNotes(superseded)
    this.#recalled = recalled
  }

  /** The whole text, with its notes. */
  get whole(): string {
    return saidText(this.#text, this.#recalled, this.#notes)
  }

  /**
   * Returns ranges of the text, in order and apart from each other, that cost about `most` tokens together. They are
   * runs of sentences: the run that is worth most, then the next one, each at most as long as a passage. A run tells
   * more than the same number of single sentences.
   */
  within(most: number): Passage[] {
    const units = (this.#units ??= this.#valued())
    const chosen = new Set<number>()
    let left = most - this.#costOfNotes(most)
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
    return textOfRanges(this.#text, ranges, this.#notes)
  }

  /** Gives the room that notes may need. It leaves room for a window. */
  #costOfNotes(most: number): number {
    const cost = this.#notes.reduce((sum, { note }) => sum + costOf(note), 0)
    return Math.min(cost, Math.max(0, most - leastWindow))
  }

  #valued(): Valued[] {
    const read = this.#read()
    const units = unitsIn(this.#text, merged(read))
    const said = units.map(({ from, to }) => this.#words.saidIn(this.#text.slice(from, to)))
    return units.map((unit, at) => ({ ...unit, value: cosineAt(unit.from, read) + this.#wordsNear(said, at) }))
  }

  #wordsNear(said: readonly ReadonlySet<number>[], at: number): number {
    const near = new Map<number, number>()
    for (const [away, share] of nearness.entries())
      for (const words of [said[at - away], said[at + away]]) for (const word of words ?? []) if (!near.has(word)) near.set(word, share)
    return near.entries().reduce((value, [word, share]) => value + share * (this.#words.weights[word] ?? 0), 0)
  }

  /** Returns the parts of passages that are read: first those most like the question in meaning and words. */
  #read(): ComparedPassage[] {
    const all = this.#passages.reduce((sum, { from, to }) => sum + to - from, 0)
    const worth = all > mostRead && this.#passages.length > 1 ? worthIn(this.#text, this.#words) : () => 0
    const valued = this.#passages.map((passage) => ({ passage, value: passage.cosine + worth(passage) }))
    let left = mostRead
    const read: ComparedPassage[] = []
    for (const { passage } of valued.toSorted((a, b) => b.value - a.value || a.passage.from - b.passage.from)) {
      if (left <= 0) break
      for (const { from, to } of wordedRanges(this.#text.slice(passage.from, passage.to), this.#words, left)) {
        read.push({ ...passage, from: passage.from + from, to: passage.from + to })
        left -= to - from
      }
    }
    return read
  }
}

function cosineAt(at: number, passages: readonly ComparedPassage[]): number {
  return passages.reduce((most, { from, to, cosine }) => (from <= at && at < to ? Math.max(most, cosine) : most), 0)
}

/**
 * Returns the run of free units that is worth most within a cost; the first of equals. One unit may cost more. No unit
 * is worth less than nothing, so the longest run from each unit is the best one, and one walk finds them all.
 */
function bestWindow(units: readonly Valued[], chosen: ReadonlySet<number>, most: number): Window | undefined {
  let best: Window | undefined
  let bestWorth = 0
  let first = 0
  let [cost, worth] = [marksCost, 0]
  for (const [last, unit] of units.entries()) {
    if (chosen.has(last)) {
      first = last + 1
      ;[cost, worth] = [marksCost, 0]
      continue
    }
    cost += unit.cost
    worth += worthOf(unit)
    for (let begin = units[first]; cost > most && first < last && begin !== undefined; begin = units[first]) {
      cost -= begin.cost
      worth -= worthOf(begin)
      first += 1
    }
    if (worth > bestWorth + rounding) [best, bestWorth] = [[first, last], worth]
  }
  return best
}

/** A unit without any worth still fills a window: it is part of the talk. */
const leastWorth = 0.001

/** Sums of the same numbers in another order differ by as much. */
const rounding = 1e-9

function worthOf({ value, cost }: Valued): number {
  return (value + leastWorth) * cost
}

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
