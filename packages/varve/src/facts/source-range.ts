import type { RecalledRange } from '../messages/message.ts'

/**
 * Finds the place of a quote in the raw content of a message: UTF-16 code units, [from, to), the first of several.
 * Never within or across a left-out range, which Varve itself had put there. Matches exactly, or else with runs of
 * blanks as one. Then the bracket of a tag that was made harmless matches any bracket.
 */
export function rangeOf(quote: string, content: string, leftOut: readonly RecalledRange[]): RecalledRange | undefined {
  const wanted = quote.trim()
  if (wanted === '') return undefined
  const pieces = piecesOf(content, leftOut)
  for (const piece of pieces) {
    const at = content.slice(piece.from, piece.to).indexOf(wanted)
    if (at !== -1) return { from: piece.from + at, to: piece.from + at + wanted.length }
  }
  const plain = folded(wanted, foldedBracket).text
  for (const piece of pieces) {
    const found = placeOf(plain, content.slice(piece.from, piece.to), foldedBracket)
    if (found !== undefined) return { from: piece.from + found.from, to: piece.from + found.to }
  }
  return undefined
}

/** Finds the place of a quote in a text. Runs of blanks count as one, and `fold` maps every other sign. */
export function foldedRange(quote: string, text: string, fold: (sign: string) => string): RecalledRange | undefined {
  const wanted = folded(quote.trim(), fold).text
  return wanted === '' ? undefined : placeOf(wanted, text, fold)
}

function placeOf(wanted: string, text: string, fold: (sign: string) => string): RecalledRange | undefined {
  const read = folded(text, fold)
  const at = read.text.indexOf(wanted)
  const [from, to] = [read.starts[at], read.ends[at + wanted.length - 1]]
  return at === -1 || from === undefined || to === undefined ? undefined : { from, to }
}

/** Gives the ranges that are not left out, in order. */
function piecesOf(content: string, leftOut: readonly RecalledRange[]): RecalledRange[] {
  const pieces: RecalledRange[] = []
  let from = 0
  for (const range of leftOut.toSorted((a, b) => a.from - b.from)) {
    if (range.from > from) pieces.push({ from, to: range.from })
    from = Math.max(from, range.to)
  }
  return from < content.length ? [...pieces, { from, to: content.length }] : pieces
}

/** Folds a text. Gives for each code unit of the result the place of the sign that it came from. */
function folded(text: string, fold: (sign: string) => string): { text: string; starts: number[]; ends: number[] } {
  const [signs, starts, ends]: [string[], number[], number[]] = [[], [], []]
  let at = 0
  for (const sign of text) {
    const isBlank = /\s/.test(sign)
    const made = isBlank ? ' ' : fold(sign)
    if (isBlank && signs.at(-1) === ' ') ends[ends.length - 1] = at + sign.length
    else if (made !== '') {
      signs.push(made)
      for (let unit = 0; unit < made.length; unit += 1) {
        starts.push(at)
        ends.push(at + sign.length)
      }
    }
    at += sign.length
  }
  return { text: signs.join(''), starts, ends }
}

function foldedBracket(sign: string): string {
  return /[<＜﹤]/.test(sign) ? '‹' : sign
}
