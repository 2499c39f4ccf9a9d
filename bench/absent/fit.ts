import { type Evidence, fewness } from '../../packages/varve/src/recall/confidence.ts'
import { type Example, fitLogistic } from './logistic.ts'
import type { QuestionSet, Sample } from './sample.ts'

/** Samples of one kind of talk and one size of partition. They weigh as much as those of any other source. */
export interface Source {
  readonly name: string
  readonly samples: readonly Sample[]
}

export interface Terms {
  readonly base: number
  readonly score: number
  readonly cosine: number
  readonly known: number
  readonly few: number
}

const zero: Terms = { base: 0, score: 0, cosine: 0, known: 0, few: 0 }
type Value = Exclude<keyof Terms, 'base'>

/** The values that are fitted. With vectors `known` gains nothing. */
const fittedValues = { on: ['score', 'cosine', 'few'], off: ['score', 'known', 'few'] } as const satisfies Record<string, readonly Value[]>

/** Fits the terms, with the same weight for each source, and in each for questions with and without an answer. */
export function fitTerms(sources: readonly Source[], embeddings: 'on' | 'off'): Terms {
  const names: readonly Value[] = fittedValues[embeddings]
  const fitted = fitLogistic(sources.flatMap((source) => weighed(source).flatMap((one) => exampleOf(one, names))))
  return { ...zero, base: fitted[0] ?? 0, ...Object.fromEntries(names.map((name, place) => [name, fitted[place + 1] ?? 0])) }
}

export function chanceBy(terms: Terms, evidence: Evidence | undefined): number {
  if (evidence === undefined) return 0
  const values = valuesOf(evidence)
  return 1 / (1 + Math.exp(-(terms.base + Object.entries(values).reduce((sum, [name, value]) => sum + termOf(terms, name) * value, 0))))
}

export interface Weighed extends Sample {
  readonly isPresent: boolean
  readonly weight: number
}

/**
 * Gives the samples of a source with weights. Questions of other conversations count with the names of the people here
 * where these have names: an unknown name gives too much away.
 */
export function weighed({ samples }: Source): Weighed[] {
  const others: QuestionSet = samples.some(({ set }) => set === 'renamed') ? 'renamed' : 'other'
  const shares: Readonly<Partial<Record<QuestionSet, number>>> = { answerable: 1, [others]: 0.5, invented: 0.5 }
  const counts = Map.groupBy(samples, ({ set }) => set)
  return samples.flatMap((sample) => {
    const share = shares[sample.set]
    const weight = (share ?? 0) / (counts.get(sample.set)?.length ?? 1)
    return share === undefined ? [] : [{ ...sample, weight, isPresent: sample.set === 'answerable' }]
  })
}

function exampleOf({ evidence, isPresent, weight }: Weighed, names: readonly Value[]): Example[] {
  if (evidence === undefined) return []
  const values = valuesOf(evidence)
  return [{ isPresent, weight, values: names.map((name) => values[name]) }]
}

function valuesOf({ score, cosine = 0, known, messages }: Evidence): Record<Value, number> {
  return { score, cosine, known, few: fewness(messages) }
}

function termOf({ score, cosine, known, few }: Terms, name: string): number {
  return { score, cosine, known, few }[name] ?? 0
}
