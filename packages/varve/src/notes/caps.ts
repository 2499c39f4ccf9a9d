import { bodyOf, entriesOf } from './entries.ts'
import { cutPlace } from './kinds.ts'
import { type NotesPage, type NotesSection, readPage, writePage } from './page.ts'
import type { NotesSettings } from './settings.ts'

type Count = (text: string) => number

/** A section that a writer must shorten, and the tokens that it may keep. */
export interface LongSection {
  readonly heading: string
  readonly tokens: number
  readonly maxTokens: number
}

/** The number of entries that were left out of a section. The oldest go first. */
export interface NotesCut {
  readonly heading: string
  readonly entries: number
}

export interface FittedNotes {
  readonly content: string
  readonly cut: readonly NotesCut[]
}

/** The largest part of a section that is asked to go when the page is too long as a whole. */
const mostCondensed = 0.5

/**
 * Finds the sections over their cap. When the page is over its own cap, it adds the longest sections until their losses
 * suffice.
 */
export function longSections(
  content: string,
  { template, sectionTokens, maxTokens }: Pick<NotesSettings, 'template' | 'sectionTokens' | 'maxTokens'>,
  count: Count,
): LongSection[] {
  const sections = readPage(content, template).sections.map(({ heading, body }) => ({ heading, tokens: count(body) }))
  const over = sections.filter(({ tokens }) => tokens > sectionTokens).map((section) => ({ ...section, maxTokens: sectionTokens }))
  let excess = count(content) - maxTokens - over.reduce((sum, section) => sum + section.tokens - section.maxTokens, 0)
  const found = new Map(over.map((section) => [section.heading, section]))
  for (const { heading, tokens } of sections.toSorted((a, b) => b.tokens - a.tokens)) {
    if (excess <= 0) break
    const had = found.get(heading)?.maxTokens ?? tokens
    const may = Math.max(Math.ceil(had * mostCondensed), had - excess)
    found.set(heading, { heading, tokens, maxTokens: may })
    excess -= had - may
  }
  return sections.flatMap(({ heading }) => found.get(heading) ?? [])
}

/**
 * Fits a page to its caps. Entries are left out whole, oldest first, in the order in which sections are cut: the
 * worklog first, errors and corrections last. Then guidance goes, then headings. Never more than `maxTokens`, and no
 * line or block of code is cut in two.
 *
 * @example fitNotes(content, 4_000, tokenizer.count).content
 */
export function fitNotes(content: string, maxTokens: number, count: Count, sectionTokens = Infinity): FittedNotes {
  return fitPage(content, readPage(content), maxTokens, count, sectionTokens)
}

/** Fits a page that has been read. */
export function fitPage(content: string, read: NotesPage, maxTokens: number, count: Count, sectionTokens: number): FittedNotes {
  if (count(content) <= maxTokens && read.sections.every(({ body }) => count(body) <= sectionTokens)) return { content, cut: [] }
  const sections = read.sections.map((section) => new CutSection(section, count, sectionTokens))
  const inOrder = sections.toSorted((a, b) => cutPlace(a.section.heading) - cutPlace(b.section.heading))
  const before = new CutSection({ heading: '', head: '', body: read.before }, count, Infinity)
  const write = (): string => writePage({ before: before.body, sections: sections.flatMap((section) => section.written) })
  for (const step of [...steps(inOrder), (over: number): number => before.leaveOut(over)]) {
    let over = count(write()) - maxTokens
    // Tokens join over line breaks, so the saving of a cut is only an estimate. The whole page is counted again.
    while (over > 0 && step(over) > 0) over = count(write()) - maxTokens
    if (over <= 0) break
  }
  return {
    content: write(),
    cut: sections.flatMap(({ section, left }) => (left === 0 ? [] : [{ heading: section.heading, entries: left }])),
  }
}

/**
 * Lists the ways to shorten a page, in their order. Each gives the number of things that it took out, 0 when there is
 * no more.
 */
function steps(sections: readonly CutSection[]): ((over: number) => number)[] {
  return [
    ...sections.map(
      (section) =>
        (over: number): number =>
          section.leaveOut(over),
    ),
    ...sections.map((section) => (): number => section.dropGuidance()),
    ...sections.map((section) => (): number => section.dropHeading()),
  ]
}

class CutSection {
  readonly section: NotesSection
  readonly #count: Count
  #entries: readonly string[]
  #head: string
  left = 0

  constructor(section: NotesSection, count: Count, sectionTokens: number) {
    this.section = section
    this.#count = count
    this.#head = section.head
    this.#entries = entriesOf(section.body)
    for (let over = count(section.body) - sectionTokens; over > 0 && this.leaveOut(over) > 0;) over = count(this.body) - sectionTokens
  }

  get body(): string {
    return bodyOf(this.#entries)
  }

  get written(): NotesSection[] {
    return this.#head === '' ? [] : [{ ...this.section, head: this.#head, body: this.body }]
  }

  /** Takes out the oldest entries that together have so many tokens. Gives their number. */
  leaveOut(tokens: number): number {
    let [out, sum] = [0, 0]
    while (out < this.#entries.length && sum < tokens) {
      sum += this.#count(this.#entries[out] ?? '')
      out += 1
    }
    this.#entries = this.#entries.slice(out)
    this.left += out
    return out
  }

  dropGuidance(): number {
    const heading = this.#head.split('\n_')[0] ?? ''
    const changed = heading !== this.#head
    this.#head = heading
    return changed ? 1 : 0
  }

  dropHeading(): number {
    const had = this.#head !== ''
    this.#head = ''
    return had ? 1 : 0
  }
}
