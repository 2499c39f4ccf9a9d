import { type Section, sectionsNamed, sectionsOf } from '../pages/sections.ts'
import { guidanceLine, sectionHead } from './template-page.ts'
import type { NotesHeading } from './template.ts'

/** One section of a page of notes. */
export interface NotesSection {
  readonly heading: string
  /** The lines before its body: the heading, and its guidance if it is there. */
  readonly head: string
  /** The text of the section, without blank lines around it. */
  readonly body: string
}

/** A page of notes, read. */
export interface NotesPage {
  /** The text before the first heading. */
  readonly before: string
  readonly sections: readonly NotesSection[]
}

type Template = readonly NotesHeading[]

const italics = /^_.+_$/

/** A plain bullet: only words can begin in it, and no block of code, list, quotation, heading or markup. */
const plainBullet = /^- (?![\s\->#+*<[|=]|`{3}|~{3}|\d+[.)])\S/

/**
 * Reads the sections of a page: those of the first rank, and deeper sections that the template names, unless one of the
 * first rank has the name.
 */
export function readPage(content: string, template: Template = []): NotesPage {
  const lines = content.replaceAll('\r\n', '\n').split('\n')
  const starts = startsOf(headingsOf(lines), template)
  const sections = starts.map(({ heading, from, headingTo }, place): NotesSection => {
    const guidance = template.find((named) => named.heading === heading)?.guidance ?? ''
    const own = lines.slice(headingTo, (starts[place + 1]?.from ?? lines.length + 1) - 1)
    const first = own[0] ?? ''
    const isGuided = guidance === '' ? template.length === 0 && italics.test(first) : first === guidanceLine(guidance)
    return { heading, head: lines.slice(from - 1, headingTo + (isGuided ? 1 : 0)).join('\n'), body: trimmed(own.slice(isGuided ? 1 : 0)) }
  })
  return { before: trimmed(lines.slice(0, (starts[0]?.from ?? lines.length + 1) - 1)), sections }
}

/** Writes a page: a blank line between sections, and one line break at its end. */
export function writePage({ before, sections }: NotesPage): string {
  const written = [before, ...sections.map(({ head, body }) => (body === '' ? head : `${head}\n\n${body}`))].filter((piece) => piece !== '')
  return written.length === 0 ? '' : `${written.join('\n\n')}\n`
}

/**
 * Gives a page all sections of the template in its order, each once and with its guidance, whatever a person has made
 * of it. Other sections are kept, each after the section that it followed.
 */
export function conformed(content: string, template: Template): NotesPage {
  const { before, sections } = readPage(content, template)
  const kept = template.map(({ heading, guidance }): NotesSection[] => {
    const named = sections.filter((section) => section.heading === heading)
    const body = named
      .map(({ body }) => body)
      .filter((body) => body !== '')
      .join('\n')
    return [{ heading, head: sectionHead({ heading, guidance }), body }]
  })
  const first: NotesSection[] = []
  let place = -1
  for (const section of sections) {
    const known = template.findIndex(({ heading }) => heading === section.heading)
    if (known !== -1) place = known
    else (kept[place] ?? first).push(section)
  }
  return { before, sections: [...first, ...kept.flat()] }
}

/** Finds the fault in the structure of a page; undefined for a page that fits the template. */
export function faultOf(content: string, template: Template): string | undefined {
  const headings = headingsOf(content.split('\n'))
    .filter(({ depth }) => depth === 1)
    .map(({ heading }) => heading)
  const { sections } = readPage(content, template)
  let last = -1
  for (const { heading, guidance } of template) {
    const places = headings.flatMap((each, place) => (each === heading ? [place] : []))
    const [place] = places
    if (place === undefined) return `the section "${heading}" is gone: is a block of code left open before it?`
    if (places.length > 1) return `the section "${heading}" stands there ${places.length} times`
    if (place < last) return `the section "${heading}" stands before one that it belongs after`
    if (sections.find((section) => section.heading === heading)?.head !== sectionHead({ heading, guidance }))
      return `the guidance below "${heading}" was changed`
    last = place
  }
  return undefined
}

/** Names sections as the template does. */
function startsOf(all: readonly Section[], template: Template): Section[] {
  const named = all.map((section): Section => ({
    ...section,
    heading:
      (
        template.find(({ heading }) => heading === section.heading) ??
        template.find(({ heading }) => sectionsNamed([section], heading).length > 0)
      )?.heading ?? section.heading,
  }))
  const first = new Set(named.filter(({ depth }) => depth === 1).map(({ heading }) => heading))
  const known = new Set(template.map(({ heading }) => heading))
  const starts = named.filter(({ heading, depth }) => depth === 1 || (known.has(heading) && !first.has(heading)))
  const highest = Math.min(...all.map(({ depth }) => depth))
  return starts.length > 0 ? starts : named.filter(({ depth }) => depth === highest)
}

/**
 * Finds the headings of a page. Of plain bullets in a row the parser sees only the last, without its words: it would
 * spend most of its time on them.
 */
function headingsOf(lines: readonly string[]): Section[] {
  const places = lines.flatMap((line, place) => (plainBullet.test(line) && plainBullet.test(lines[place + 1] ?? '') ? [] : [place]))
  const found = sectionsOf(places.map((place) => (plainBullet.test(lines[place] ?? '') ? '- x' : lines[place])).join('\n'))
  const lineOf = (number: number): number => (places[number - 1] ?? lines.length - 1) + 1
  return found.map((section): Section => ({
    ...section,
    from: lineOf(section.from),
    to: lineOf(section.to),
    headingTo: lineOf(section.headingTo),
  }))
}

function trimmed(lines: readonly string[]): string {
  const from = lines.findIndex((line) => line.trim() !== '')
  return from === -1 ? '' : lines.slice(from, lines.findLastIndex((line) => line.trim() !== '') + 1).join('\n')
}
