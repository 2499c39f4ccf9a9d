/** A half-open range of a text, in UTF-16 code units. */
export interface Passage {
  readonly from: number
  readonly to: number
}

/** The most tokens of a passage, estimated. MiniLM reads 256; the estimate is never below its own count. */
export const mostCost = 200

/** The most tokens of a sentence that is repeated: the last one of a passage then begins the next passage too. */
const mostOverlap = 60

/** The longest passage, in UTF-16 code units, whatever it costs: the search for its end reads no further. */
const windowLength = 2_000

/** Made when a text is first cut: that takes 13 ms. */
let segmenter: Intl.Segmenter | undefined
const isPair = /[\uD800-\uDBFF]/

/**
 * Returns the passage after another one (without one, the first); undefined when nothing is left.
 *
 * A text that fits is one passage. A longer one is cut at sentences, and each passage begins with the last sentence of
 * the one before. Ranges left out (sorted, apart from each other) are in no passage. A call reads only the few
 * sentences of its passage, so that a text of a megabyte is read while it is embedded.
 */
export function nextPassage(text: string, leftOut: readonly Passage[], previous?: Passage): Passage | undefined {
  const begin = skipBlanks(text, leftOut, previous?.to ?? 0)
  if (begin >= text.length) return undefined
  const wall = leftOut.find(({ from }) => from >= begin)?.from ?? text.length
  const from = previous === undefined ? begin : overlapOf(text, previous, begin)
  const to = begin + lengthWithin(text.slice(begin, Math.min(wall, begin + windowLength)), mostCost - costOf(text.slice(from, begin)))
  return { from, to: trimEnd(text, begin, to) }
}

/**
 * Estimates tokens, rather too many than too few. MiniLM's vocabulary has some four letters a token in known words, two
 * digits, and one of other characters (marks, ideographs, emoji).
 */
export function costOf(text: string): number {
  let cost = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    cost += code < tableSize ? (costs[code] ?? 0) : 1
  }
  return cost
}

/** Characters from this code on cost one token each. */
const tableSize = 0x600

/** By code. In code that V8 has not optimised, a call for each character took three times as long. */
const costs = Float64Array.from({ length: tableSize }, (_, code) => costOfUnit(code))

function costOfUnit(code: number): number {
  if (code <= 32) return 0
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return 0.27
  if (code >= 48 && code <= 57) return 0.5
  // Letters with accents, Greek, Cyrillic and the like: two or three a token.
  return code >= 0xc0 && code < tableSize ? 0.5 : 1
}

/** Returns the length of a stretch that fits the budget: whole sentences, else whole words, else characters, and at least one. */
function lengthWithin(stretch: string, budget: number): number {
  if (costOf(stretch) <= budget) return stretch.length === windowLength ? lastBreak(stretch, stretch.length) : stretch.length
  let cost = 0
  let fits = 0
  for (const { segment, index } of sentences().segment(stretch)) {
    cost += costOf(segment)
    if (cost > budget) break
    fits = index + segment.length
  }
  return fits > 0 ? fits : lastBreak(stretch, hardLength(stretch, budget))
}

function hardLength(stretch: string, budget: number): number {
  let cost = 0
  let at = 0
  while (at < stretch.length && cost + costOfUnit(stretch.charCodeAt(at)) <= budget) {
    cost += costOfUnit(stretch.charCodeAt(at))
    at += 1
  }
  return Math.max(1, at)
}

/** Returns the end of the last whole word before a place, or the place itself when there is none. It never splits a surrogate pair. */
function lastBreak(stretch: string, at: number): number {
  const blank = stretch.slice(0, at).search(/\s\S*$/)
  const end = blank > 0 ? blank : at
  return isPair.test(stretch.charAt(end - 1)) ? end + 1 : end
}

/** Returns the start of a passage. It is the last sentence of the passage before, when only blanks stand between them. */
function overlapOf(text: string, previous: Passage, begin: number): number {
  if (text.slice(previous.to, begin).trim() !== '') return begin
  let last = previous.from
  for (const { index } of sentences().segment(text.slice(previous.from, previous.to))) last = previous.from + index
  return last > previous.from && costOf(text.slice(last, previous.to)) <= mostOverlap ? last : begin
}

function skipBlanks(text: string, leftOut: readonly Passage[], start: number): number {
  let at = start
  for (;;) {
    const inside = leftOut.find(({ from, to }) => from <= at && at < to)
    if (inside !== undefined) at = inside.to
    else if (at < text.length && text.charAt(at).trim() === '') at += 1
    else return at
  }
}

function trimEnd(text: string, begin: number, end: number): number {
  return begin + text.slice(begin, end).trimEnd().length
}

function sentences(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'sentence' })
  return segmenter
}
