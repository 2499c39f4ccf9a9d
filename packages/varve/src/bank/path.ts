import type { Granularity } from './granularity.ts'
import { granularities } from './granularity.ts'
import { periodOf } from './periods.ts'

/** Coarsest first: the steps of a path. */
const steps = ['year', 'month', 'week', 'day'] as const

/**
 * Where an entry stands, as the store has it: `2026/2026-11/2026-W47/2026-11-22` for a day and its conversations, as many
 * steps less as its rung is higher. What is above an entry is a beginning of its path, and paths sort by time.
 */
export function pathOf(day: string): string {
  return steps.map((step) => periodOf(day, step)).join('/')
}

/** The path of the digest of a rung that a path lies in. */
export function pathAt(path: string, granularity: Granularity): string {
  return path.split('/').slice(0, steps.length + 1 - Math.max(1, rungOf(granularity))).join('/')
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
