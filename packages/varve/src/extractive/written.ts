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
  const units = allowed.map(({ text, weight }, of): Unit => {
    const said = withoutAddedDates(text)
    const found = new Set(terms(said))
    const worth = worthOf(said, { terms: found.size, origin: 'person', isOpen: true }) * weight
    return { text: plainLine(text), words: countWords(said), terms: found, of, first: of, last: of, worth }
  })
  const weighted = weighTerms(units.map(({ terms }) => terms))
  const topics = units.map(({ worth }, of) => ({ terms: weighted[of] ?? new Map<string, number>(), worth }))
  return chooseUnits(units, topics, budget).flatMap(({ text, of }) => allowed.slice(of, of + 1).map(({ place }) => ({ text, place })))
}
