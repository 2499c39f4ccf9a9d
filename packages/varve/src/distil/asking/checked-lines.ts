import { oneLine } from './quoted-span.ts'
import type { RawSentence } from './answer-shapes.ts'

/** Bounds of what is taken from an answer. */
export interface LineBounds {
  readonly lines: number
  readonly words: number
}

/** A longer line is no summary. */
const mostWordsPerLine = 60
const mostCharactersPerLine = 600

/** What lines may cite, and the words that they may use. */
export interface Ground {
  /** Numbers that exist. */
  readonly numbers: ReadonlySet<number>
  /** The text that was read, with its dates and names: what a line states exactly must stand in it. */
  readonly text: string
}

const leading = /^(?:[-*•–—]|#{1,6}|\d{1,2}[.)])\s+/
const preamble = /^(?:here (?:is|are)\b|summary\b|as an ai\b|i(?:'|’)?m sorry\b|i (?:cannot|can(?:'|’)?t)\b|sure[,!])/i
const quotes = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/g
// A memory reports in the third person: what speaks to its reader in these words was planted.
const addressed = /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|rule|guideline|above|previous)|\b(?:system|developer) (?:prompt|message)\b|\byou (?:must|should|will|are now|have to)\b|\b(?:always|never) (?:answer|reply|respond|recommend|say|tell)\b|\bdo not (?:tell|mention|reveal)\b/i
const exact = /https?:\/\/\S+|[\w.+-]+@[\w-]+\.[\w.]+|\b[A-Z]{2,}[-_]?\d+\b|\d[\d.,:/-]*\d|\d/g

/** Lines that can be kept, the last ones cut where they are too many or too long together; in order. */
export function checkedLines(raw: readonly RawSentence[], ground: Ground, bounds: LineBounds): RawSentence[] {
  const ground_ = normal(ground.text)
  const kept: RawSentence[] = []
  let words = 0
  for (const { text, from } of raw) {
    const line = oneLine(text).replace(leading, '').trim()
    const cited = [...new Set(from)].filter((number) => ground.numbers.has(number)).toSorted((a, b) => a - b)
    if (cited.length === 0 || !isUsable(line) || !isGrounded(line, ground_)) continue
    const count = wordsIn(line)
    if (kept.length === bounds.lines || words + count > bounds.words) break
    words += count
    kept.push({ text: line, from: cited })
  }
  return kept
}

function isUsable(line: string): boolean {
  if (!/\p{L}/u.test(line) || line.length > mostCharactersPerLine || wordsIn(line) > mostWordsPerLine) return false
  return !preamble.test(line) && !addressed.test(line.replace(quotes, ''))
}

/**
 * Numbers of three digits and more, addresses and identifiers must have been said: a wrong one is worse than a missing
 * sentence, and planted ones are most of what an attack wants kept. Smaller numbers may be said in words ("ten crates").
 */
function isGrounded(line: string, ground: string): boolean {
  return (line.match(exact) ?? []).every((found) => (/^\d{1,2}$/.test(found) ? true : ground.includes(normal(found)) || datePartsIn(found, ground)))
}

/** A date or a time may be written in another way than it was said. */
function datePartsIn(found: string, ground: string): boolean {
  const parts = found.split(/[.,:/-]/).filter((part) => part !== '')
  return parts.length > 1 && parts.every((part) => part.length <= 2 || ground.includes(normal(part)))
}

/** Without what only sets digits apart, and trailing marks. */
function normal(text: string): string {
  return text.toLowerCase().replace(/(?<=\d)[.,' \u00a0\u202f](?=\d{3}\b)/g, '').replace(/[.,;:!?)]+$/, '')
}

function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}
