import { below, seeded } from './random.ts'

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Returns the value that a share of the values is at or below (nearest rank). NaN for none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))] ?? Number.NaN
}

/** Returns the middle value, or the mean of the two in the middle: of two runs neither the better nor the worse. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return mean(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1))
}

export interface Interval {
  readonly low: number
  readonly high: number
}

const resamples = 2_000

/**
 * Returns the 95 % percentile interval of the mean (Efron 1979), drawn from the values with replacement. The same seed
 * gives the same interval.
 */
export function bootstrapMean(values: readonly number[], seed = 1): Interval {
  const random = seeded(seed)
  const means: number[] = []
  for (let sample = 0; sample < resamples; sample += 1) {
    let sum = 0
    for (let drawn = 0; drawn < values.length; drawn += 1) sum += values[below(random, values.length)] ?? 0
    means.push(sum / values.length)
  }
  return { low: percentile(means, 0.025), high: percentile(means, 0.975) }
}
