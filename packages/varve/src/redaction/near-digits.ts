/** The characters before and behind a number that can tell what it is. */
const before = 160
const behind = 80

/** The most characters by which a part grows to a blank, so that it does not begin within a word. */
const mostMoved = 64

export interface TextPart {
  readonly from: number
  readonly text: string
}

/** Three digits with little between them. Shorter numbers are no code and no key, and most texts have some. */
const number = /\d(?:(?:[ ()#*,-]{0,3}|[A-Za-z_./+~-]{1,40})\d){2,32}/g

/** Cuts out the neighbourhood of each number: a code's noun stands beside it, and most of a long text has no number near. */
export function nearDigits(text: string): TextPart[] {
  if (text.length <= before + behind) return text.search(number) === -1 ? [] : [{ from: 0, text }]
  const parts: { from: number; to: number }[] = []
  for (const { 0: digits, index } of text.matchAll(number)) {
    const from = Math.max(0, index - before)
    const to = Math.min(text.length, index + digits.length + behind)
    const last = parts.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else parts.push({ from: atBlank(text, from), to })
  }
  return parts.map(({ from, to }) => ({ from, text: text.slice(from, atBlankBehind(text, to)) }))
}

function atBlank(text: string, from: number): number {
  if (from === 0) return 0
  const blank = text.slice(from, from + mostMoved).search(/\s/)
  return blank === -1 ? from : from + blank
}

function atBlankBehind(text: string, to: number): number {
  const blank = text.slice(to, to + 4 * mostMoved).search(/\s/)
  return blank === -1 ? Math.min(text.length, to + 4 * mostMoved) : to + blank
}
