import { type PageLine, linesOf } from './lines.ts'
import { type FilledLines, filledLines } from './filled-lines.ts'
import { locate, type Located, type PageView } from './locate.ts'
import type { PageEdit } from './page-edit.ts'
import { type Section, sectionsByName, sectionsIn } from './sections.ts'
import { inOneGo, type Turns } from './turns.ts'

/** The reason why an edit was refused; `place` is its place among the edits, from 0. */
export interface RefusedEdit {
  readonly place: number
  readonly reason: string
}

/**
 * Applies edits to a page, all of them or none. Line numbers are those of the page as it was shown: all edits are
 * located in it and applied at once. Text that no edit touches stays byte for byte.
 *
 * @example applyEdits('- red\n- fast\n', [{ tool: 'replace_lines', from: 2, to: 2, text: '- slow' }]) // { content: '-
 * red\n- slow\n' }
 */
export function applyEdits(content: string, edits: readonly PageEdit[]): Edited {
  return inOneGo(editing(content, edits))
}

/** The new page, or the refused edits: then the page is unchanged. */
export type Edited = { readonly content: string } | { readonly refused: readonly RefusedEdit[] }

/** Applies edits in turns, one edit a turn. */
export function* editing(content: string, edits: readonly PageEdit[]): Turns<Edited> {
  const sections = edits.some((edit) => 'section' in edit && edit.section !== undefined) ? yield* sectionsIn(content) : []
  const page = viewOf(content, sections)
  yield
  const results: (Located | string)[] = []
  for (const edit of edits) {
    results.push(locate(page, edit))
    yield
  }
  const located = results.map((result) => (typeof result === 'string' ? undefined : result))
  const refused = results.flatMap((result, place) => {
    const reason = typeof result === 'string' ? result : overlapOf(located, result, place)
    return reason === undefined ? [] : [{ place, reason }]
  })
  return refused.length > 0
    ? { refused }
    : {
        content: spliced(
          page,
          located.filter((one) => one !== undefined),
        ),
      }
}

/** Makes the view that edits work on: every line of it has an end. */
function viewOf(content: string, sections: readonly Section[]): PageView {
  const lines = linesOf(content)
  const eol = endOf(content, lines.at(0))
  const isOpen = content !== '' && !content.endsWith('\n')
  const text = isOpen ? content + eol : content
  const ends = linesOf(text)
  let named: ((name: string) => readonly Section[]) | undefined
  let filled: FilledLines | undefined
  return {
    text,
    eol,
    isOpen,
    lines: ends,
    sections,
    named: (name) => (named ??= sectionsByName(sections))(name),
    filled: () => (filled ??= filledLines(text, ends)),
  }
}

function endOf(content: string, first: PageLine | undefined): string {
  return first === undefined || first.end === first.next ? '\n' : content.slice(first.end, first.next)
}

function overlapOf(all: readonly (Located | undefined)[], one: Located, place: number): string | undefined {
  const other = all
    .slice(0, place)
    .findIndex((earlier) => earlier !== undefined && (meet(earlier.touches, one.touches) || restsOn(earlier, one) || restsOn(one, earlier)))
  return other === -1 ? undefined : `it overlaps call ${other + 1}: make one call of both`
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Tells whether two ranges meet. A point meets a range that it stands within, not one that it stands beside. */
function meet(a: Range, b: Range): boolean {
  return a.start < b.end && b.start < a.end
}

function restsOn(edit: Located, { touches }: Located): boolean {
  return edit.restsOn !== undefined && meet(edit.restsOn, touches)
}

function spliced({ text, eol, isOpen }: PageView, edits: readonly Located[]): string {
  const inOrder = edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
  let [result, at] = ['', 0]
  for (const { start, end, insert } of inOrder) {
    result += text.slice(at, start) + insert
    at = end
  }
  result += text.slice(at)
  if (!isOpen) return result
  // A page whose last line had no end keeps it that way.
  const last = inOrder.at(-1)
  const isWhole = last === undefined || last.end < text.length || last.start === text.length || last.insert.endsWith(eol)
  return isWhole ? result.slice(0, -eol.length) : result.replace(/\r?\n$/, '')
}
