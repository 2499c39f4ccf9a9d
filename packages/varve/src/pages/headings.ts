import { htmlBegun } from './html-blocks.ts'
import { linesOf } from './lines.ts'
import { inOneGo, type Turns } from './turns.ts'

/** A heading of a page, with its lines from 1; that of an underlined one ends on another than it begins on. */
export interface Heading {
  /** As it stands there, without the number signs, in one line. */
  readonly heading: string
  /** 1 to 6. */
  readonly depth: number
  readonly from: number
  readonly headingTo: number
}

/** A quotation, or an item of a list with how far its lines are set in. */
type Container = { readonly kind: 'quote' } | { readonly kind: 'item'; readonly width: number; isEmpty: boolean }

/** Its lines may turn out to be a heading. */
interface Paragraph {
  readonly kind: 'paragraph'
  readonly from: number
  readonly lines: string[]
}

/** What a line may go on with. */
type Leaf =
  | Paragraph
  | { readonly kind: 'fence'; readonly sign: string; readonly length: number }
  | { readonly kind: 'html'; readonly ends: RegExp | undefined }

/** Quotations and lists in each other that are told apart; what lies deeper is text to us. */
const maxNesting = 20

/** Lines that are read in one turn: some ms. */
const linesPerTurn = 8_192

/** Spaces from which on a line is code, or goes on with a paragraph. */
const codeIndent = 4

/**
 * The headings of a markdown page that lie in no quotation and no list, line by line (CommonMark 0.31): in linear
 * time, whatever the page.
 */
export function headingsOf(content: string): readonly Heading[] {
  return inOneGo(headingsIn(content))
}

/** The same, some thousand lines a turn. */
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

  /** How many of the open containers a line is in, and where what they hold begins. */
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

  /** Whether a line lies in a block of code or of markup that is open, and may end it. */
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

  /** What begins on a line, or what paragraph it goes on with. */
  #begin(text: string, start: number, matched: number): void {
    let at = start
    const begun: Container[] = []
    const open = this.#leaf?.kind === 'paragraph' ? this.#leaf : undefined
    const isWithin = matched === this.#containers.length
    for (;;) {
      const from = filledFrom(text, at)
      if (from === text.length || from - at >= codeIndent) break
      const depth = matched + begun.length
      // A line of no container of the paragraph's goes on with it only where nothing begins.
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

  /** A heading, a rule, or a block of code or markup: what is open after its first line. */
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

  /** What a paragraph says beside the targets of links is a heading once it is underlined. */
  #isUnderlined({ from, lines }: Paragraph, rank: number, depth: number): boolean {
    const text = lines.join('\n')
    const said = withoutDefinitions(text)
    if (said.trim() === '') return false
    const skipped = text.slice(0, text.length - said.length).split('\n').length - 1
    if (depth === 0) this.headings.push({ heading: inOneLine(said), depth: rank, from: from + skipped, headingTo: this.#number })
    return true
  }
}

/** A line with spaces in the place of tabs, and of what it has of a line's end. */
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

/** How often a sign stands in a row. */
function runOf(text: string, at: number, sign: string): number {
  let to = at
  while (to < text.length && text[to] === sign) to += 1
  return to - at
}

/** A quotation or an item of a list that a line begins, and how much of the line is its sign. */
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

/** The text of a heading without the number signs that close it. */
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

/** A paragraph without the targets of links that it begins with. */
function withoutDefinitions(text: string): string {
  let rest = text
  for (let found = definition.exec(rest); found !== null; found = definition.exec(rest)) rest = rest.slice(found[0].length)
  return rest
}
