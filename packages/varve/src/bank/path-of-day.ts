import { steps } from './path.ts'
import { periodOf } from './periods.ts'

/**
 * Where an entry stands, as the store has it: `2026/2026-11/2026-W47/2026-11-22` for a day and its conversations, as many
 * steps less as its rung is higher. What is above an entry is a beginning of its path, and paths sort by time.
 */
export function pathOf(day: string): string {
  return steps.map((step) => periodOf(day, step)).join('/')
}
