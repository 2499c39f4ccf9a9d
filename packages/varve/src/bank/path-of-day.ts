import { steps } from './path.ts'
import { periodOf } from './periods.ts'

/**
 * Gives the path of a day as the store has it: `2026/2026-11/2026-W47/2026-11-22` for a day and its conversations. A
 * higher rung has fewer steps. The path of a higher entry is the begin of the lower one's, and paths sort by time.
 */
export function pathOf(day: string): string {
  return steps.map((step) => periodOf(day, step)).join('/')
}
