import { costOf, type Passage } from '../index/passages.ts'
import { proseSentences } from './sentences.ts'

/** A stretch of a text that is shown whole or not at all: a sentence, or a part of a long one. */
export interface Stretch extends Passage {
  /** Its tokens, estimated. */
  readonly cost: number
  /** The place of its range among the ranges. */
  readonly range: number
}

/** The most that a unit costs. A longer sentence is cut after a clause, else before a word. */
const mostUnit = 40

const blank = /\s/
const clauseEnd = /[,;:)–—，、；：]/

/** Cuts ranges of a text at their sentences, and long sentences at clauses or words. Leaves out the blanks between units. */
export function unitsIn(text: string, ranges: readonly Passage[]): Stretch[] {
  const units: Stretch[] = []
  for (const [range, { from, to }] of ranges.entries()) {
    for (const sentence of proseSentences(text.slice(from, to))) {
      const said = text.slice(from + sentence.from, from + sentence.to)
      const begin = from + sentence.to - said.trimStart().length
      const end = from + sentence.from + said.trimEnd().length
      if (begin < end) addUnits(text, { from: begin, to: end }, range, units)
    }
  }
  return units
}

function addUnits(text: string, { from: begin, to: end }: Passage, range: number, units: Stretch[]): void {
  let from = begin
  while (from < end) {
    const sentence = text.slice(from, end)
    const whole = costOf(sentence)
    const length = whole <= mostUnit ? sentence.length : firstLength(sentence)
    const unit = sentence.slice(0, length).trimEnd()
    units.push({ from, to: from + unit.length, cost: length === sentence.length ? whole : costOf(unit), range })
    from += length
    while (from < end && blank.test(text.charAt(from))) from += 1
  }
}

/** Returns the length of the first part of a long sentence. It never splits a surrogate pair. */
function firstLength(sentence: string): number {
  let at = 0
  let cost = 0
  let clause = 0
  let word = 0
  for (const character of sentence) {
    cost += costOf(character)
    if (cost > mostUnit && at > 0) break
    if (blank.test(character)) {
      word = at
      if (cost > mostUnit / 2 && clauseEnd.test(sentence.charAt(at - 1))) clause = at
    }
    at += character.length
  }
  return clause || word || at
}
