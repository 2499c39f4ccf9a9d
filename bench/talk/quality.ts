import { bootstrapMean, type Interval, mean } from '../shared/statistics.ts'

/** The numbers of hits that are looked at. */
export const cutoffs = [5, 10, 20] as const

/** A question, and the places of its evidence turns among the hits. */
export interface Asked {
  /** The place of its conversation in the file. */
  readonly conversation: number
  readonly category: string
  readonly evidence: number
  /** Places of the evidence turns that were found, from 0. */
  readonly found: readonly number[]
}

/** Shares over some questions, one for each cutoff, and intervals at 10. */
export interface Quality {
  readonly n: number
  readonly any: readonly number[]
  readonly fraction: readonly number[]
  readonly all: readonly number[]
  readonly anyInterval: Interval
  readonly fractionInterval: Interval
  readonly allInterval: Interval
}

export function quality(questions: readonly Asked[]): Quality {
  const fractions = (cutoff: number): number[] =>
    questions.map(({ evidence, found }) => found.filter((place) => place < cutoff).length / evidence)
  const shares = (of: (fraction: number) => number): number[] => cutoffs.map((cutoff) => mean(fractions(cutoff).map(of)))
  const any = (fraction: number): number => (fraction > 0 ? 1 : 0)
  const whole = (fraction: number): number => (fraction === 1 ? 1 : 0)
  return {
    n: questions.length,
    any: shares(any),
    fraction: shares((fraction) => fraction),
    all: shares(whole),
    anyInterval: bootstrapMean(fractions(10).map(any)),
    fractionInterval: bootstrapMean(fractions(10)),
    allInterval: bootstrapMean(fractions(10).map(whole)),
  }
}
