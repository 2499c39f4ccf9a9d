import { cutPlace } from './kinds.ts'
import { readPage } from './page.ts'

/** A section of notes to be told by itself, and its place on the page. */
export interface ToldSection {
  readonly heading: string
  readonly text: string
  readonly place: number
}

/** Sections that say something, in the order in which they are wanted where not all have room: what is cut last comes first. */
export function sectionsToTell(content: string): ToldSection[] {
  return readPage(content)
    .sections.map(({ heading, body }, place) => ({ heading, text: body, place }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => cutPlace(b.heading) - cutPlace(a.heading) || a.place - b.place)
}
