import { withoutAddedDates } from '../models/added-dates.ts'
import { type Budget, chooseUnits } from './coverage.ts'
import type { ExtractiveMeans } from './means.ts'
import { plainLine } from './plain-text.ts'
import { worthOf } from './salience.ts'
import { weighTerms } from './topics.ts'
import type { Unit } from './units.ts'
import { countWords } from './words.ts'

/** A sentence or bullet that was written before, and its worth beside the others. */
export interface WrittenText {
  readonly text: string
  readonly weight: number
}

/** A sentence that was chosen again, by its place among those given. The text is the same, or cut where not even one fitted. */
export interface Kept {
  readonly text: string
  readonly place: number
}

/** Chooses from earlier sentences the most telling ones within the bounds; the best first. Added dates make none more telling. */
export function chooseWritten(
  written: readonly WrittenText[],
  { terms, isKeptOut = () => false }: ExtractiveMeans,
  budget: Budget,
): Kept[] {
  const allowed = written.flatMap((one, place) => (isKeptOut(one.text) ? [] : [{ ...one, place }]))
  // The worth of a text counts in its topic. In the unit it would count again, and for the words that others have too.
  const units = allowed.map(({ text }, of): Unit => {
    const said = withoutAddedDates(text)
    return { text: plainLine(text), words: countWords(said), terms: new Set(terms(said)), of, first: of, last: of, worth: 1 }
  })
  const weighted = weighTerms(units.map(({ terms }) => terms))
  const topics = allowed.map(({ text, weight }, of) => {
    const worth = worthOf(withoutAddedDates(text), { terms: units[of]?.terms.size ?? 0, origin: 'person', isOpen: true })
    return { terms: weighted[of] ?? new Map<string, number>(), worth: worth * weight }
  })
  return chooseUnits(units, topics, budget).flatMap(({ text, of }) => allowed.slice(of, of + 1).map(({ place }) => ({ text, place })))
}
