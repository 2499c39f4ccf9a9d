import { htmlBegun } from './html-blocks.ts'
import { linesOf } from './lines.ts'
import { inOneGo, type Turns } from './turns.ts'

/** A heading of a page, with its lines from 1. An underlined heading ends on a later line than it begins on. */
export interface Heading {
  /** Its text in one line, without the number signs. */
  readonly heading: string
  /** 1 to 6. */
  readonly depth: number
  readonly from: number
  readonly headingTo: number
}

/** A quotation, or an item of a list with the indent of its lines. */
type Container = { readonly kind: 'quote' } | { readonly kind: 'item'; readonly width: number; isEmpty: boolean }

/** A paragraph: its lines may turn out to be a heading. */
interface Paragraph {
  readonly kind: 'paragraph'
  readonly from: number
  readonly lines: string[]
}

/** The open block that the next line may continue. */
type Leaf =
  | Paragraph
  | { readonly kind: 'fence'; readonly sign: string; readonly length: number }
  | { readonly kind: 'html'; readonly ends: RegExp | undefined }

/** The most nested quotations and lists that are told apart; deeper ones are read as text. */
const maxNesting = 20

/** Lines that are read in one turn: some ms. */
const linesPerTurn = 8_192

/** The indent that makes a line code, or a continuation of a paragraph. */
const codeIndent = 4

/**
 * Returns the headings of a markdown page outside quotations and lists, line by line (CommonMark 0.31). The time is
 * linear for any page.
 */
export function headingsOf(content: string): readonly Heading[] {
  return inOneGo(headingsIn(content))
}

/** Finds the headings in turns of some thousand lines. */
export function* headingsIn(content: string): Turns<readonly Heading[]> {
  const reader = new BlockReader()
  for (const [place, { start, end }] of linesOf(content).entries()) {
    if (place % linesPerTurn === linesPerTurn - 1) yield
    reader.read(content.slice(start, end))
  }
  return reader.headings
}

class BlockReader {
  readonly headings: Heading[] = []
  #containers: Container[] = []
  #leaf: Leaf | undefined
  #number = 0

  read(line: string): void {
    this.#number += 1
    const text = spaced(this.#number === 1 ? line.replace(/^\uFEFF/, '') : line)
    const { at, matched } = this.#continued(text)
    const isWithin = matched === this.#containers.length
    if (isWithin && this.#goesOn(text, at)) return
    this.#begin(text, at, matched)
  }

  /** Returns the number of open containers that a line is in, and the offset of their content. */
  #continued(text: string): { at: number; matched: number } {
    let at = 0
    for (const [place, container] of this.#containers.entries()) {
      const from = filledFrom(text, at)
      const isBlank = from === text.length
      if (container.kind === 'quote') {
        if (from - at >= codeIndent || text[from] !== '>') return { at, matched: place }
        at = text[from + 1] === ' ' ? from + 2 : from + 1
      } else if (isBlank) {
        if (container.isEmpty) return { at, matched: place }
      } else if (from - at >= container.width) {
        at += container.width
        container.isEmpty = false
      } else return { at, matched: place }
    }
    return { at, matched: this.#containers.length }
  }

  /** Tells whether a line lies in an open block of code or markup; the line may end that block. */
  #goesOn(text: string, at: number): boolean {
    const leaf = this.#leaf
    if (leaf === undefined || leaf.kind === 'paragraph') return false
    const from = filledFrom(text, at)
    if (leaf.kind === 'fence') {
      const isEnd =
        from - at < codeIndent &&
        runOf(text, from, leaf.sign) >= leaf.length &&
        filledFrom(text, from + runOf(text, from, leaf.sign)) === text.length
      if (isEnd) this.#leaf = undefined
    } else if (leaf.ends === undefined ? from === text.length : leaf.ends.test(text)) this.#leaf = undefined
    return true
  }

  /** Reads a line that begins blocks, or continues a paragraph. */
  #begin(text: string, start: number, matched: number): void {
    let at = start
    const begun: Container[] = []
    const open = this.#leaf?.kind === 'paragraph' ? this.#leaf : undefined
    const isWithin = matched === this.#containers.length
    for (;;) {
      const from = filledFrom(text, at)
      if (from === text.length || from - at >= codeIndent) break
      const depth = matched + begun.length
      // A line outside the paragraph's containers continues it only when it begins nothing.
      const paragraph = isWithin && begun.length === 0 ? open : undefined
      const rest = text.slice(from)
      const container = depth < maxNesting ? containerBegun(rest, from - at, paragraph !== undefined) : undefined
      if (container === undefined) {
        const leaf = this.#leafBegun(rest, { depth, paragraph, isLazy: open !== undefined && begun.length === 0 })
        if (leaf === undefined) break
        this.#enter(matched, begun)
        this.#leaf = leaf.leaf
        return
      }
      begun.push(container.container)
      at = Math.min(text.length, from + container.taken)
    }
    const isBlank = filledFrom(text, at) === text.length
    if (open !== undefined && begun.length === 0 && !isBlank) return void open.lines.push(text.slice(at))
    this.#enter(matched, begun)
    const isText = !isBlank && filledFrom(text, at) - at < codeIndent
    this.#leaf = isText ? { kind: 'paragraph', from: this.#number, lines: [text.slice(at)] } : undefined
  }

  #enter(matched: number, begun: readonly Container[]): void {
    this.#containers = [...this.#containers.slice(0, matched), ...begun]
  }

  /** Reads a heading, a rule, or a block of code or markup. Returns the block that is open after its first line. */
  #leafBegun(
    rest: string,
    { depth, paragraph, isLazy }: { depth: number; paragraph: Paragraph | undefined; isLazy: boolean },
  ): { leaf: Leaf | undefined } | undefined {
    const signs = runOf(rest, 0, '#')
    if (signs > 0 && signs <= 6 && (rest.length === signs || rest[signs] === ' ')) {
      if (depth === 0)
        this.headings.push({
          heading: inOneLine(withoutEnd(rest.slice(signs).trim())),
          depth: signs,
          from: this.#number,
          headingTo: this.#number,
        })
      return { leaf: undefined }
    }
    const fence = fenceBegun(rest)
    if (fence !== undefined) return { leaf: fence }
    const html = htmlBegun(rest, isLazy)
    if (html !== undefined) return { leaf: html.ends?.test(rest) === true ? undefined : { kind: 'html', ends: html.ends } }
    if (paragraph !== undefined && /^(?:=+|-+) *$/.test(rest) && this.#isUnderlined(paragraph, rest.startsWith('=') ? 1 : 2, depth))
      return { leaf: undefined }
    return isRule(rest) ? { leaf: undefined } : undefined
  }

  /** Tells whether an underline makes a paragraph a heading: it needs text beside the targets of links. */
  #isUnderlined({ from, lines }: Paragraph, rank: number, depth: number): boolean {
    const text = lines.join('\n')
    const said = withoutDefinitions(text)
    if (said.trim() === '') return false
    const skipped = text.slice(0, text.length - said.length).split('\n').length - 1
    if (depth === 0) this.headings.push({ heading: inOneLine(said), depth: rank, from: from + skipped, headingTo: this.#number })
    return true
  }
}

/** Replaces the tabs and the carriage returns of a line by spaces. */
function spaced(line: string): string {
  const text = line.replaceAll('\r', ' ')
  if (!text.includes('\t')) return text
  const pieces = text.split('\t')
  let result = pieces[0] ?? ''
  for (const piece of pieces.slice(1)) result += ' '.repeat(codeIndent - (result.length % codeIndent)) + piece
  return result
}

function filledFrom(text: string, at: number): number {
  let from = at
  while (from < text.length && text.charCodeAt(from) === 32) from += 1
  return from
}

/** Counts the repetitions of a sign in a row. */
function runOf(text: string, at: number, sign: string): number {
  let to = at
  while (to < text.length && text[to] === sign) to += 1
  return to - at
}

/** Finds the quotation or the list item that a line begins, and the length of its sign. */
function containerBegun(rest: string, indent: number, isInParagraph: boolean): { container: Container; taken: number } | undefined {
  if (rest.startsWith('>')) return { container: { kind: 'quote' }, taken: rest[1] === ' ' ? 2 : 1 }
  const [marker] = /^(?:[-+*]|\d{1,9}[.)])(?= |$)/.exec(rest) ?? []
  if (marker === undefined || isRule(rest)) return undefined
  const from = filledFrom(rest, marker.length)
  const isEmpty = from === rest.length
  if (isInParagraph && (isEmpty || (marker.length > 1 && !/^1[.)]$/.test(marker)))) return undefined
  const blanks = from - marker.length
  const taken = marker.length + (isEmpty || blanks > codeIndent ? 1 : blanks)
  return { container: { kind: 'item', width: indent + taken, isEmpty }, taken }
}

function fenceBegun(rest: string): (Leaf & { kind: 'fence' }) | undefined {
  const sign = rest.startsWith('`') ? '`' : '~'
  const length = runOf(rest, 0, sign)
  return length < 3 || (sign === '`' && rest.includes('`', length)) ? undefined : { kind: 'fence', sign, length }
}

function isRule(rest: string): boolean {
  return /^(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/.test(rest)
}

/** Returns the text of a heading without its closing number signs. */
function withoutEnd(text: string): string {
  let at = text.length
  while (at > 0 && text[at - 1] === '#') at -= 1
  return at === 0 || text[at - 1] === ' ' ? text.slice(0, at) : text
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

const target = String.raw`(?:<(?:[^<>\n\\]|\\.)*>|(?!<)[^\s\x00-\x1f]+)`
const title = String.raw`(?:"(?:[^"\\]|\\[^]){0,999}"|'(?:[^'\\]|\\[^]){0,999}'|\((?:[^()\\]|\\[^]){0,999}\))`
const definition = new RegExp(
  String.raw`^ *\[(?=[^\]]*[^\s\]])(?:[^\\[\]]|\\[^]){1,999}\]:\s*${target}(?:\s+${title} *(?=\n|$)| *(?=\n|$))\n?`,
)

/** Returns a paragraph without the link targets that it begins with. */
function withoutDefinitions(text: string): string {
  let rest = text
  for (let found = definition.exec(rest); found !== null; found = definition.exec(rest)) rest = rest.slice(found[0].length)
  return rest
}
