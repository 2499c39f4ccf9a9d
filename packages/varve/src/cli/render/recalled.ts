import type { UserMemory } from '../../memory/user-memory.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { columns, note, printJson, printParts } from '../terminal.ts'
import { hitLines } from './hit.ts'

type Recalled = Awaited<ReturnType<UserMemory['recall']>>

/** Prints hits to stdout. Warnings, the confidence, and `none` when there are no hits, go to stderr. */
export function printRecalled(recalled: Recalled, { json }: GlobalFlags, none: string): void {
  if (json === true) return printJson(recalled)
  for (const degraded of recalled.degraded) note(`varve: warning: ${degraded}`)
  if (recalled.hits.length === 0) return note(leftOut(recalled) ?? none)
  const width = columns()
  printParts(recalled.hits.map((hit, index) => hitLines(hit, index + 1, { width, ids: true })))
  if (recalled.confidence !== undefined) note(`confidence ${recalled.confidence.toFixed(2)}`)
}

/** Says that hits were left out; undefined when nothing was found at all. */
function leftOut({ confidence = 0 }: Recalled): string | undefined {
  if (confidence === 0) return undefined
  return `No match: what comes nearest is hardly about it (confidence ${confidence.toFixed(2)}). --min-confidence 0 shows it.`
}
