import { stem } from './stem.ts'
import { wordsOf } from './words.ts'

/** The index data of a text: its stemmed terms with their counts, and its length in words. */
export interface AnalysedText {
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
}

/** A half-open range of a text, in UTF-16 code units. */
interface TextRange {
  readonly from: number
  readonly to: number
}

/** Counts the terms of a text in the language of its session (ISO 639-1; '' for unknown). Leaves out the given ranges. */
export function analyse(text: string, language: string, leftOut: readonly TextRange[] = []): AnalysedText {
  const terms = new Map<string, number>()
  let length = 0
  for (const piece of without(text, leftOut)) {
    for (const word of wordsOf(piece)) {
      const term = stem(word, language)
      terms.set(term, (terms.get(term) ?? 0) + 1)
      length += 1
    }
  }
  return { terms, length }
}

/** Returns the pieces of a text outside some ranges. The ranges are sorted and apart from each other. */
export function without(text: string, ranges: readonly TextRange[]): string[] {
  const pieces: string[] = []
  let at = 0
  for (const range of ranges) {
    if (range.from > at) pieces.push(text.slice(at, range.from))
    at = range.to
  }
  if (at < text.length) pieces.push(at === 0 ? text : text.slice(at))
  return pieces
}
