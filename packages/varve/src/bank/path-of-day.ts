import { granularityOf, pathAt, periodOfPath, steps } from './path.ts'
import { dayWithin, periodOf } from './periods.ts'

/**
 * Gives the path of a day as the store has it: `2026/2026-11/2026-W47/2026-11-22` for a day and its conversations. A
 * higher rung has fewer steps. The path of a higher entry is the begin of the lower one's, and paths sort by time.
 */
export function pathOf(day: string): string {
  return steps.map((step) => periodOf(day, step)).join('/')
}

/** Tells whether a text is the path of an entry of a rung, as pathOf() and pathAt() give it. */
export function isPathOf(path: string, rung: number): boolean {
  const granularity = granularityOf(rung)
  const day = dayWithin(granularity, periodOfPath(path))
  return day !== undefined && pathAt(pathOf(day), granularity) === path
}
