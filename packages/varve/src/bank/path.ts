import type { Granularity } from './granularity.ts'
import { granularities } from './granularity.ts'

/** The steps of a path, coarsest first. */
export const steps = ['year', 'month', 'week', 'day'] as const

/** Gives the path of the digest of a rung that a path lies in. */
export function pathAt(path: string, granularity: Granularity): string {
  return path
    .split('/')
    .slice(0, steps.length + 1 - Math.max(1, rungOf(granularity)))
    .join('/')
}

/** Gives the period that a path ends with. */
export function periodOfPath(path: string): string {
  return path.split('/').at(-1) ?? ''
}

export function rungOf(granularity: Granularity): number {
  return granularities.indexOf(granularity)
}

/** Gives the granularity of a rung. The number comes from Varve's own store. */
export function granularityOf(rung: number): Granularity {
  return granularities[rung] ?? 'conversation'
}
