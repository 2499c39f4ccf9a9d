import type { OwnSentence } from '../extractive/portrait-writer.ts'

/** A line counts in full with so many terms, a taste with half of them; with fewer it counts in proportion. */
const fullTerms = 10

/** What a term counts in a line for each line before it that has the term. Chosen on half of a public set (bench/profile.ts). */
const toldAgain = 0.5

/** A line that may stand in a portrait. */
export interface PortraitLine extends OwnSentence {
  readonly terms: ReadonlySet<string>
  /** The messages that say so: a portrait has one line of each. */
  readonly places: readonly string[]
  readonly isTaste?: boolean
}

/** The number of a person's lines that have a term. */
export type Themes = ReadonlyMap<string, number>

/** Counts the lines that have each term: a person comes back to what matters. */
export function themesOf(lines: readonly Pick<PortraitLine, 'terms'>[]): Themes {
  const themes = new Map<string, number>()
  for (const { terms } of lines) for (const term of terms) themes.set(term, (themes.get(term) ?? 0) + 1)
  return themes
}

/** Rates a line by the themes that it tells in its words. */
export function tellingOf({ terms, words, isTaste = false }: PortraitLine, themes: Themes, told?: Themes): number {
  const full = isTaste ? fullTerms / 2 : fullTerms
  let sum = 0
  for (const term of terms) sum += (themes.get(term) ?? 1) * toldAgain ** (told?.get(term) ?? 0)
  return (sum * Math.min(1, terms.size / full)) / Math.max(1, words)
}

/** Chooses the lines that tell most of a person's themes, the best first. None says again what another one says. */
export function mostTelling<Line extends PortraitLine>(
  lines: readonly Line[],
  themes: Themes,
  { most, maxWords, before = [] }: { readonly most: number; readonly maxWords: number; readonly before?: readonly PortraitLine[] },
): readonly Line[] {
  const chosen: Line[] = []
  let left = maxWords
  let rest = lines.filter((line) => !before.some((one) => repeats(line, one)))
  while (chosen.length < most) {
    const told = themesOf(chosen)
    rest = rest.filter(({ words }) => words <= left)
    const [best] = rest.map((line) => ({ line, rate: tellingOf(line, themes, told) })).toSorted((a, b) => b.rate - a.rate)
    if (best === undefined) break
    chosen.push(best.line)
    left -= best.line.words
    rest = rest.filter((line) => line !== best.line && !repeats(line, best.line))
  }
  return chosen
}

/**
 * Tells whether a line is of the same message as another, or shares more than half of the terms of the one that has fewer. Tastes
 * share their verb: of two, one repeats the other where it has no term of its own.
 */
function repeats(line: PortraitLine, other: PortraitLine): boolean {
  if (line.places.some((place) => other.places.includes(place))) return true
  if (line.isTaste === true && other.isTaste === true) return line.terms.isSubsetOf(other.terms)
  return line.terms.intersection(other.terms).size * 2 > Math.min(line.terms.size, other.terms.size)
}

export function placeKey(session: string | undefined, seq: number): string {
  return JSON.stringify([session, seq])
}
