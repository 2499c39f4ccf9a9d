import type { PageLine } from './lines.ts'
import type { PageEdit } from './page-edit.ts'
import type { FilledLines } from './filled-lines.ts'
import { placesOf } from './places.ts'
import type { Section } from './sections.ts'

/** A page that is about to be edited. */
export interface PageView {
  readonly text: string
  /** The line end of added lines. */
  readonly eol: string
  /** True when the last line had no end of its own. */
  readonly isOpen: boolean
  readonly lines: readonly PageLine[]
  /** Empty when no edit names a section. */
  readonly sections: readonly Section[]
  /** Returns the sections that a name means. */
  readonly named: (name: string) => readonly Section[]
  /** Built when the first edit asks for it. */
  readonly filled: () => FilledLines
}

/** An edit as a range of the page, and its new text. */
export interface Located {
  readonly start: number
  readonly end: number
  readonly insert: string
  /** The range that no other edit may touch. */
  readonly touches: { readonly start: number; readonly end: number }
  /** The heading by which the edit was located: it must stay as it is. */
  readonly restsOn?: { readonly start: number; readonly end: number }
}

/** Returns the place of an edit, or the reason why it does not apply. */
export function locate(page: PageView, edit: PageEdit): Located | string {
  switch (edit.tool) {
    case 'append':
      return append(page, edit)
    case 'replace_lines':
      return replaceLines(page, edit)
    case 'delete_lines':
      return deleteLines(page, edit)
    case 'replace_section':
      return replaceSection(page, edit)
    case 'replace_text':
      return replaceText(page, edit)
  }
}

type Edit<Tool extends PageEdit['tool']> = Extract<PageEdit, { tool: Tool }>

const noText = 'it has no text'

/** The most sections that a refusal names. */
const maxNamed = 40

function append(page: PageView, { text, section: name }: Edit<'append'>): Located | string {
  if (text.trim() === '') return noText
  if (name === undefined) return at(page.text.length, page.text.length, linesIn(text, page))
  const section = sectionOf(page, name)
  if (typeof section === 'string') return section
  const point = offsetAfter(page, lastFilled(page, section))
  return { ...at(point, point, beforeHeading(page, section, point, linesIn(trimmed(text), page))), restsOn: headingOf(page, section) }
}

function replaceLines(page: PageView, { from, to, text }: Edit<'replace_lines'>): Located | string {
  const lines = rangeOf(page, from, to)
  if (typeof lines === 'string') return lines
  return text === '' ? `${noText}: delete_lines takes lines away` : at(lines.start, lines.end, linesIn(text, page))
}

function deleteLines(page: PageView, { from, to }: Edit<'delete_lines'>): Located | string {
  const lines = rangeOf(page, from, to)
  return typeof lines === 'string' ? lines : at(lines.start, lines.end, '')
}

/** Replaces the body of a section. The heading and the blank lines around the body stay. */
function replaceSection(page: PageView, { section: name, text }: Edit<'replace_section'>): Located | string {
  const section = sectionOf(page, name)
  if (typeof section === 'string') return section
  const [first, last] = [firstFilled(page, section), lastFilled(page, section)]
  const [start, end] = [offsetAfter(page, first === undefined ? section.headingTo : first - 1), offsetAfter(page, last)]
  const body = trimmed(text)
  const insert = body === '' ? '' : beforeHeading(page, section, end, linesIn(body, page))
  return { start, end, insert, touches: { start: headingOf(page, section).start, end } }
}

function replaceText(page: PageView, { old, text, section: name }: Edit<'replace_text'>): Located | string {
  if (old === '') return '"old" is empty'
  if (!old.isWellFormed()) return '"old" cuts a character in two'
  const section = name === undefined ? undefined : sectionOf(page, name)
  if (typeof section === 'string') return section
  const [from, to] = section === undefined ? [0, page.text.length] : [offsetAfter(page, section.headingTo), offsetAfter(page, section.to)]
  const sought = withEnds(old, page)
  const { first: place, times } = placesOf(page.text.slice(from, to), sought)
  if (place === undefined || times > 1)
    return (
      `"old" stands ${times} times in the ${section === undefined ? 'page' : `section "${section.heading}"`}, and must stand ` +
      'there once'
    )
  const range = at(from + place, from + place + sought.length, withEnds(text.toWellFormed(), page))
  return section === undefined ? range : { ...range, restsOn: headingOf(page, section) }
}

function at(start: number, end: number, insert: string): Located {
  return { start, end, insert, touches: { start, end } }
}

/** Returns the offsets of lines, or a reason that names the page's lines. */
function rangeOf({ lines }: PageView, from: number, to: number): { start: number; end: number } | string {
  if (lines.length === 0) return 'the page has no lines yet: append to it'
  const [first, last] = [lines[from - 1], lines[to - 1]]
  if (first === undefined || last === undefined || from > to)
    return `it must name lines 1 to ${lines.length}, the first before the last, and names ${named(from)} to ${named(to)}`
  return { start: first.start, end: last.next }
}

function named(line: unknown): string {
  return typeof line === 'number' && !Number.isNaN(line) ? String(line) : 'none'
}

function sectionOf(page: PageView, name: string): Section | string {
  const sections = page.sections
  const found = page.named(name)
  if (found.length > 1)
    return `${found.length} sections have this name, at lines ${found
      .slice(0, maxNamed)
      .map(({ from }) => from)
      .join(', ')}${found.length > maxNamed ? ' and others' : ''}: name lines`
  if (found[0] !== undefined) return found[0]
  const known = sections.slice(0, maxNamed).map(({ heading }) => JSON.stringify(heading))
  return known.length === 0
    ? 'the page has no sections'
    : `there is no such section: there ${sections.length === 1 ? 'is' : 'are'} ` +
        `${known.join(', ')}${sections.length > maxNamed ? ' and others' : ''}`
}

function headingOf({ lines }: PageView, { from, headingTo }: Section): { start: number; end: number } {
  return { start: lines[from - 1]?.start ?? 0, end: lines[headingTo - 1]?.next ?? 0 }
}

/** Returns the offset behind a line; 0 for line 0. */
function offsetAfter({ lines }: PageView, line: number): number {
  return lines[line - 1]?.next ?? 0
}

/** Returns the first line of a section's body that is not blank. */
function firstFilled(page: PageView, { headingTo, to }: Section): number | undefined {
  const line = page.filled().from(headingTo + 1)
  return line <= to ? line : undefined
}

/** Returns the last line of a section that is not blank; without a body, the last line of its heading. */
function lastFilled(page: PageView, { headingTo, to }: Section): number {
  return Math.max(headingTo, page.filled().upTo(to))
}

/** Adds a line end before an underlined heading: text right above it would become a part of it. */
function beforeHeading(page: PageView, { to }: Section, point: number, insert: string): string {
  const next = page.sections.find(({ from }) => from === to + 1)
  return next !== undefined && next.headingTo > next.from && point === offsetAfter(page, to) ? insert + page.eol : insert
}

/** Makes text whole lines of this page. */
function linesIn(text: string, page: PageView): string {
  return withEnds(text.toWellFormed().replace(/\r?\n$/, ''), page) + page.eol
}

function withEnds(text: string, { eol }: PageView): string {
  return text.replaceAll(/\r?\n/g, eol)
}

/** Removes blank lines at both ends. */
function trimmed(text: string): string {
  const lines = text.split('\n')
  const isFilled = (line: string): boolean => line.trim() !== ''
  return lines.slice(Math.max(0, lines.findIndex(isFilled)), lines.findLastIndex(isFilled) + 1).join('\n')
}
