import { centralities } from './centrality.ts'
import type { Topic } from './coverage.ts'
import { decision } from './cues.ts'
import type { SaidMessage } from './statements.ts'
import type { Unit } from './units.ts'

/**
 * The worth that a message gains by its place. The first ones gain most, because they tell the subject of the talk; a
 * decision among the last ones gains too.
 */
const beginning = 0.4
const end = 0.2
const placesAtBeginning = 3
const placesAtEnd = 5

/** The worth that the most central message gains. On chatter it made no difference; it is for long talk with one subject. */
const central = 0.15

/** Makes each message a topic: its terms, the rarer ones weighing more, and the worth of its best sentence. */
export function topicsOf(said: readonly SaidMessage[], units: readonly Unit[]): Topic[] {
  const weighted = weighTerms(said.map(({ statements }) => new Set(statements.flatMap(({ terms }) => [...terms]))))
  const centrality = centralities(weighted.map((terms, of) => ({ terms, vector: said[of]?.message.vector })))
  const worths = said.map(() => 0)
  for (const { of, worth } of units) worths[of] = Math.max(worths[of] ?? 0, worth)
  return said.map((one, of) => ({
    terms: weighted[of] ?? new Map<string, number>(),
    vector: one.message.vector,
    worth: (worths[of] ?? 0) * (1 + central * (centrality[of] ?? 0) + place(one, of, said.length)),
  }))
}

/** Returns the terms of each text with weights that add up to 1. Terms that stand in fewer of the texts weigh more. */
export function weighTerms(texts: readonly ReadonlySet<string>[]): ReadonlyMap<string, number>[] {
  const inTexts = new Map<string, number>()
  for (const terms of texts) for (const term of terms) inTexts.set(term, (inTexts.get(term) ?? 0) + 1)
  return texts.map((terms) => {
    const weights = [...terms].map((term): [string, number] => [term, Math.log(1 + texts.length / (inTexts.get(term) ?? 1))])
    const sum = weights.reduce((sum, [, weight]) => sum + weight, 0)
    return new Map(weights.map(([term, weight]) => [term, weight / sum]))
  })
}

function place({ statements }: SaidMessage, of: number, count: number): number {
  const atEnd = of >= count - placesAtEnd && statements.some(({ text }) => decision.test(text)) ? end : 0
  return Math.max(0, beginning * (1 - of / placesAtBeginning)) + atEnd
}
