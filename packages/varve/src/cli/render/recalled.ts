import type { UserMemory } from '../../memory/user-memory.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { columns, note, printJson, printParts } from '../terminal.ts'
import { hitLines } from './hit.ts'

/** Prints hits to stdout. Warnings, and `none` when there are no hits, go to stderr. */
export function printRecalled(recalled: Awaited<ReturnType<UserMemory['recall']>>, { json }: GlobalFlags, none: string): void {
  if (json === true) return printJson(recalled)
  for (const degraded of recalled.degraded) note(`varve: warning: ${degraded}`)
  if (recalled.hits.length === 0) return note(none)
  const width = columns()
  printParts(recalled.hits.map((hit, index) => hitLines(hit, index + 1, { width, ids: true })))
}
