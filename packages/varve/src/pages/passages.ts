import { costOf, mostCost } from '../index/passages.ts'
import { sectionsOf } from './sections.ts'

/** A part of a page that is found by itself. */
export interface PagePassage {
  /** The headings above it, the highest first. */
  readonly headings: readonly string[]
  readonly text: string
}

/** Passages of a page, at most. */
const mostPassages = 2_000

/** Cuts a page at its headings, and what is longer than a passage at its lines. A heading by itself says nothing. */
export function pagePassages(content: string): PagePassage[] {
  const sections = sectionsOf(content)
  const starts = new Set(sections.map(({ from }) => from))
  const passages: PagePassage[] = []
  let lines: string[] = []
  let cost = 0
  let headings: readonly string[] = []
  const end = (): void => {
    const text = lines.join('\n').trim()
    if (text !== '') passages.push({ headings, text })
    lines = []
    cost = 0
  }
  for (const [at, line] of content.split('\n').entries()) {
    if (starts.has(at + 1)) {
      end()
      headings = sections.filter(({ from, to }) => from <= at + 1 && at + 1 <= to).map(({ heading }) => heading)
      continue
    }
    const more = costOf(line)
    if (cost > 0 && cost + more > mostCost) end()
    lines.push(line)
    cost += more
  }
  end()
  return passages.slice(0, mostPassages)
}
