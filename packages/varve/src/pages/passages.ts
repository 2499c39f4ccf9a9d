import { costOf, mostCost } from '../index/passages.ts'
import { type Heading, headingsIn } from './headings.ts'
import { inOneGo, type Turns } from './turns.ts'

/** A part of a page that search finds by itself. */
export interface PagePassage {
  /** The headings above it, the highest first. */
  readonly headings: readonly string[]
  readonly text: string
}

/** The most passages of a page. */
const mostPassages = 2_000

/** Lines that one turn reads: some ms. */
const linesPerTurn = 16_384

/** Cuts a page at its headings, and long parts at their lines. A heading alone is no passage. */
export function pagePassages(content: string): PagePassage[] {
  return inOneGo(passagesIn(content))
}

/** Cuts a page in turns of some thousand lines. */
export function* passagesIn(content: string): Turns<PagePassage[]> {
  const starts = new Map((yield* headingsIn(content)).map((heading) => [heading.from, heading]))
  yield
  const passages: PagePassage[] = []
  let above: readonly Heading[] = []
  let lines: string[] = []
  let cost = 0
  const end = (): void => {
    const text = lines.join('\n').trim()
    if (text !== '') passages.push({ headings: above.map(({ heading }) => heading), text })
    lines = []
    cost = 0
  }
  for (const [at, line] of content.split('\n').entries()) {
    if (at % linesPerTurn === linesPerTurn - 1) yield
    const heading = starts.get(at + 1)
    if (heading !== undefined) {
      end()
      above = [...above.filter(({ depth }) => depth < heading.depth), heading]
      if (passages.length >= mostPassages) break
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
