import { cutPlace } from './kinds.ts'
import { readPage } from './page.ts'

/** A section of notes to be shown by itself, and its place on the page. */
export interface ToldSection {
  readonly heading: string
  readonly text: string
  readonly place: number
}

/**
 * Gives sections with text, in the order in which they are wanted when not all have room. The section that is cut last
 * comes first.
 */
export function sectionsToTell(content: string): ToldSection[] {
  return readPage(content)
    .sections.map(({ heading, body }, place) => ({ heading, text: body, place }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => cutPlace(b.heading) - cutPlace(a.heading) || a.place - b.place)
}
