import { type Heading, headingsIn } from './headings.ts'
import { linesOf } from './lines.ts'
import { inOneGo, type Turns } from './turns.ts'

/** One section of a page, from its heading's first line. Following sections of a lower rank lie within it. */
export interface Section extends Heading {
  /** The last line before the next heading of the same or a higher rank. */
  readonly to: number
}

/**
 * Returns the sections of a markdown page in their order. A number sign in a code fence, a quotation or a list is no
 * heading.
 *
 * @example sectionsOf('# Bike\nRed.\n') // [{ heading: 'Bike', depth: 1, from: 1, to: 2, headingTo: 1 }]
 */
export function sectionsOf(content: string): readonly Section[] {
  return inOneGo(sectionsIn(content))
}

/** Finds the sections in turns of some thousand lines. */
export function* sectionsIn(content: string): Turns<readonly Section[]> {
  const headings = yield* headingsIn(content)
  const last = linesOf(content).length
  /** By rank: the line before the nearest heading of that rank or a higher one. */
  const ends: number[] = [1, 2, 3, 4, 5, 6, 7].map(() => last)
  return headings
    .toReversed()
    .map((heading) => {
      const section = { ...heading, to: ends[heading.depth] ?? last }
      ends.fill(heading.from - 1, heading.depth)
      return section
    })
    .toReversed()
}

/** Returns the sections with exactly this heading, else those that differ only in case, blanks or marks. */
export function sectionsNamed(sections: readonly Section[], name: string): readonly Section[] {
  return sectionsByName(sections)(name)
}

/** Makes that lookup for many names: headings are folded once. */
export function sectionsByName(sections: readonly Section[]): (name: string) => readonly Section[] {
  const exact = Map.groupBy(sections, ({ heading }) => heading)
  let folded: ReadonlyMap<string, readonly Section[]> | undefined
  return (name) => {
    const found = exact.get(name)
    if (found !== undefined) return found
    folded ??= Map.groupBy(sections, ({ heading }) => plain(heading))
    return folded.get(plain(name)) ?? []
  }
}

function plain(heading: string): string {
  return heading
    .normalize('NFKC')
    .replaceAll(/^\s*#{1,6}\s|[*_`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
