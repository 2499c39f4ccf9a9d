import { codeLines } from '../code-lines.ts'

/** The parts of a message that are read, in UTF-16 code units: its beginning and its end. */
const headLength = 12_000
const tailLength = 4_000

/** Stands in the place of words that are not the speaker's own. No pattern matches it. */
export const masked = '\u0001'

/**
 * The text of a message as patterns read it. Blanks and apostrophes are of one kind, quotations are masked, and a line
 * break stands only where a paragraph ends.
 */
export interface Reading {
  readonly text: string
  /** The message as it stands. */
  readonly raw: string
  /** The place in the message of each code unit of the text. */
  readonly places: readonly number[]
}

/** Quoted lines, tables, stack traces, and lines of logs. */
const noProse = /^[ \t]{0,8}(?:>|\||at .{1,80}\(|File "|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b)/u
const item = /^[ \t]{0,8}(?:[-*+•] |\d{1,3}[.)] |#{1,6} )[ \t]{0,8}/u
const closing: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“”', '«': '»', '»': '«', '`': '`' }

/** Signs that are skipped: pictures and marks of emphasis. */
const silent = /^(?:[*_\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Cf}\u{FE0F}\u{20E3}])$/u

/**
 * Reads a message.
 *
 * @param isSentBeside whether a line is a sentence of its own beside the line before it, as lines are in chats
 */
export function readingOf(raw: string, isSentBeside: (before: string, line: string) => boolean): Reading {
  const writing = new Writing(raw)
  let before = ''
  const lines = linesOf(raw)
  const isCode = codeLines(lines.map(({ line }) => line))
  for (const [at, { line, from }] of lines.entries()) {
    if (isCode[at] === true || noProse.test(line) || line.trim() === '') {
      writing.endParagraph(from)
      continue
    }
    const mark = item.exec(line)?.[0].length ?? 0
    if (mark > 0 || writing.hasEnded() || isSentBeside(before, line)) writing.endParagraph(from)
    before = line
    writing.line(line.slice(mark), from + mark)
  }
  return writing.reading()
}

export function rawOf({ raw, places }: Reading, from: number, to: number): string {
  return to <= from ? '' : raw.slice(places[from] ?? 0, (places[to - 1] ?? 0) + 1)
}

/** Returns all of a message, or its beginning and its end without the sentences that were cut in two. */
function partsOf(raw: string): { text: string; from: number }[] {
  if (raw.length <= headLength + tailLength) return [{ text: raw, from: 0 }]
  const head = raw.slice(0, headLength)
  const tail = raw.slice(-tailLength)
  const to = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('. ')) + 1
  const from = tail.search(/\n|(?<=\.) /u)
  return [{ text: head.slice(0, to), from: 0 }, ...(from < 0 ? [] : [{ text: tail.slice(from), from: raw.length - tailLength + from }])]
}

function linesOf(raw: string): { line: string; from: number }[] {
  return partsOf(raw).flatMap((part) => {
    let from = part.from
    const lines = part.text.split('\n').map((line) => {
      const found = { line, from }
      from += line.length + 1
      return found
    })
    return [...lines, { line: '', from: Math.max(0, part.from + part.text.length - 1) }]
  })
}

class Writing {
  readonly #raw: string
  #text = ''
  readonly #places: number[] = []
  /** The signs that end the quotation that is open; '' outside quotations. */
  #closing = ''

  constructor(raw: string) {
    this.#raw = raw
  }

  line(line: string, from: number): void {
    for (let at = 0; at < line.length; at += 1) this.#character(line, at, from + at)
    this.#add(' ', from + line.length)
  }

  /** Tells whether the text so far ends like a sentence. A new line then begins another sentence. */
  hasEnded(): boolean {
    return /[.!?…:;,] ?$/u.test(this.#text.slice(-3))
  }

  endParagraph(at: number): void {
    this.#closing = ''
    if (this.#text !== '' && !this.#text.endsWith('\n')) this.#add('\n', at)
  }

  reading(): Reading {
    return { text: this.#text, raw: this.#raw, places: this.#places }
  }

  #character(line: string, at: number, place: number): void {
    const sign = line.charAt(at)
    if (this.#closing !== '') {
      if (this.#closing.includes(sign) && (sign !== "'" || !/[\p{L}\p{N}]/u.test(line.charAt(at + 1)))) this.#closing = ''
      return
    }
    const closes = closing[sign] ?? (isOpening(line, at) ? "'’" : undefined)
    if (closes !== undefined) {
      this.#closing = closes
      this.#add(masked, place)
    } else if (/\s/u.test(sign)) this.#add(' ', place)
    else if (!isSilent(line, at) && !/[\uD800-\uDFFF]/u.test(sign)) this.#add(sign === '’' ? "'" : sign, place)
  }

  #add(sign: string, place: number): void {
    if (sign === ' ' && (this.#text === '' || /[ \n]$/u.test(this.#text.slice(-1)))) return
    this.#text += sign
    this.#places.push(place)
  }
}

/** An underscore in a word is part of a name: `night_owl`. */
function isSilent(line: string, at: number): boolean {
  const isInWord = line.charAt(at) === '_' && /^[\p{L}\p{N}]_[\p{L}\p{N}]$/u.test(line.slice(at - 1, at + 2))
  return silent.test(line.charAt(at)) && !isInWord
}

/** The characters of a quotation: the fewest, the most, and the most after a colon. */
const leastQuoted = 3
const longestAside = 260
const longestQuoted = 2_000

/** Tells whether an apostrophe opens a quotation: another one closes it soon, or later where a colon stands before it. */
function isOpening(line: string, at: number): boolean {
  const sign = line.charAt(at)
  if ((sign !== "'" && sign !== '‘') || /[\p{L}\p{N}]/u.test(line.charAt(at - 1))) return false
  const most = line.slice(at - 2, at) === ': ' ? longestQuoted : longestAside
  return line.slice(at + 1, at + most).search(/['’](?![\p{L}\p{N}])/u) >= leastQuoted
}
