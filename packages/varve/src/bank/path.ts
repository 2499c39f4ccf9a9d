import type { Granularity } from './granularity.ts'
import { granularities } from './granularity.ts'

/** Coarsest first: the steps of a path. */
export const steps = ['year', 'month', 'week', 'day'] as const

/** The path of the digest of a rung that a path lies in. */
export function pathAt(path: string, granularity: Granularity): string {
  return path
    .split('/')
    .slice(0, steps.length + 1 - Math.max(1, rungOf(granularity)))
    .join('/')
}

/** The period that a path ends with. */
export function periodOfPath(path: string): string {
  return path.split('/').at(-1) ?? ''
}

export function rungOf(granularity: Granularity): number {
  return granularities.indexOf(granularity)
}

/** The granularity of a rung; what the store holds was written by us. */
export function granularityOf(rung: number): Granularity {
  return granularities[rung] ?? 'conversation'
}
