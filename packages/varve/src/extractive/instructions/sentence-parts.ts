import { matchesOf } from '../../messages/matches-of.ts'
import type { Reading } from '../facts/reading.ts'

/** A sentence of a reading, with its mark. */
export interface SentencePart {
  readonly text: string
  /** Its place in the reading. */
  readonly from: number
  readonly isQuestion: boolean
  /** True for an item of a list and for a heading. */
  readonly isItem: boolean
  /** True for a line that is set in, as code is. */
  readonly isSetIn: boolean
  /** True when a blank line and prose follow. */
  readonly endsParagraph: boolean
}

const end = /[.!?…]+["')\]]{0,3}(?=[ \n]|$)|\n/gu
const itemMark = /(?:^|\n)[ \t]{0,8}(?:[-*+•] |\d{1,3}[.)] |#{1,6} )[ \t*_]{0,8}$/u
const setIn = /(?:^|\n)(?: {4}|\t)[ \t]*$/u
const blankLine = /^[^\S\n]{0,8}\n[^\S\n]{0,8}\n\s{0,8}(?![\s`~])/u
/** The text around a sentence in which the marks of its line are looked for. */
const markLength = 32

/** Tells whether a line is a sentence of its own beside a short line before it. Long lines may be wrapped prose. */
export function isShortLine(before: string): boolean {
  return before.length > 0 && before.length < 60
}

/** Returns the sentences of a reading. A stop after an abbreviation ends none. */
export function sentenceParts(reading: Reading, abbreviations: readonly string[]): SentencePart[] {
  const abbreviation = new RegExp(String.raw`(?:^|[\s("'])(?:${abbreviations.join('|')}|\p{Lu})\.$`, 'u')
  const { text } = reading
  const found: SentencePart[] = []
  let from = 0
  for (const { index, 0: mark } of matchesOf(text, end)) {
    const to = index + mark.length
    if (mark === '.' && abbreviation.test(text.slice(Math.max(from, to - 12), to))) continue
    found.push(...partAt(reading, from, to))
    from = to
  }
  return [...found, ...partAt(reading, from, text.length)]
}

/** Returns the sentence between two places, if it has a word. */
function partAt({ text: all, raw, places }: Reading, begin: number, to: number): SentencePart[] {
  const from = begin + (/^\s*/u.exec(all.slice(begin, to))?.[0].length ?? 0)
  const text = all.slice(from, to).trimEnd()
  if (!/\p{L}{2}/u.test(text)) return []
  const first = places[from] ?? 0
  const after = (places[from + text.length - 1] ?? first) + 1
  const line = raw.slice(Math.max(0, first - markLength), first)
  const [isQuestion, endsParagraph] = [/\?[!?"')\]]{0,4}$/u.test(text), blankLine.test(raw.slice(after, after + markLength))]
  return [{ text, from, isQuestion, isItem: itemMark.test(line), isSetIn: setIn.test(line), endsParagraph }]
}
