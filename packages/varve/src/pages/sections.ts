import { fromMarkdown } from 'mdast-util-from-markdown'
import { linesOf } from './lines.ts'

/** One section of a page; those of a lower rank that follow lie within it. */
export interface Section {
  /** As it stands there, without the number signs, in one line. */
  readonly heading: string
  /** 1 to 6. */
  readonly depth: number
  /** From 1, inclusive: the heading's line, and the last one before the next heading of the same or a higher rank. */
  readonly from: number
  readonly to: number
  /** The heading's last line: that of an underlined one is another than its first. */
  readonly headingTo: number
}

// What stands within a line makes no section, and a heading is read as it is written: "a_b_c & d".
const inline = ['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'hardBreakEscape', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink']

/** What the parser takes more than linear time for, and no page needs: quotations and lists in each other, and underlined headings. */
const maxNesting = 20
const maxUnderlined = 500

const nesting = new RegExp(String.raw`^((?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){${maxNesting}})(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]))+`, 'gm')

/**
 * The sections of a markdown page in their order. A number sign in a code fence, a quotation or a list is no heading.
 *
 * @example sectionsOf('# Bike\nRed.\n') // [{ heading: 'Bike', depth: 1, from: 1, to: 2, headingTo: 1 }]
 */
export function sectionsOf(content: string): readonly Section[] {
  const headings = headingsOf(content)
  const last = linesOf(content).length
  return headings.map((heading, place) => {
    const next = headings.find(({ depth }, at) => at > place && depth <= heading.depth)
    return { ...heading, to: next === undefined ? last : next.from - 1 }
  })
}

/** The sections that a name means: those of exactly this heading, else those that differ in case, blanks or marks alone. */
export function sectionsNamed(sections: readonly Section[], name: string): readonly Section[] {
  const exact = sections.filter(({ heading }) => heading === name)
  return exact.length > 0 ? exact : sections.filter(({ heading }) => plain(heading) === plain(name))
}

function headingsOf(content: string): Omit<Section, 'to'>[] {
  const underlines = content.match(/^ {0,3}(?:=+|-+)[ \t]*\r?$/gm)?.length ?? 0
  const disabled = underlines > maxUnderlined ? [...inline, 'setextUnderline'] : inline
  // The parser takes a carriage return by itself for the end of a line; the numbers that are shown do not.
  const tree = fromMarkdown(content.replaceAll(/\r(?!\n)/g, ' ').replaceAll(nesting, '$1'), { extensions: [{ disable: { null: disabled } }] })
  return tree.children.flatMap((node) => {
    if (node.type !== 'heading' || node.position === undefined) return []
    const text = node.children.map((child) => (child.type === 'text' ? child.value : '')).join('')
    return { heading: text.replaceAll(/\s+/g, ' ').trim(), depth: node.depth, from: node.position.start.line, headingTo: node.position.end.line }
  })
}

function plain(heading: string): string {
  return heading.normalize('NFKC').replaceAll(/^\s*#{1,6}\s|[*_`]/g, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
