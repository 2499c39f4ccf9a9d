import type { Memory } from '../../memory/memory.ts'
import { counted, harmless, harmlessLine, minute } from '../terminal.ts'

export type ListedLedgerEntry = Awaited<ReturnType<Memory['ledger']>>[number]

export type ShownCosts = Awaited<ReturnType<Memory['costs']>>

const dash = '-'

/** Shows a line a call, in columns; two lines where the terminal is too narrow. */
export function ledgerLines(calls: readonly ListedLedgerEntry[], width: number | undefined): string[] {
  const rows = calls.map(({ at, project, task, layers, model, inputTokens, cacheReadTokens = 0, outputTokens, ms, outcome }) =>
    [
      minute(at),
      shortened(project),
      task,
      layers.length === 0 ? dash : layers.join('+'),
      shortened(model),
      `${inputTokens.toLocaleString('en')} in${cacheReadTokens === 0 ? '' : ` (${cacheReadTokens.toLocaleString('en')} cached)`}`,
      `${outputTokens.toLocaleString('en')} out`,
      `${ms.toLocaleString('en')} ms`,
      outcome,
    ].map(harmless),
  )
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cells = rows.map((row) =>
    row.map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))),
  )
  const isNarrow = width !== undefined && cells.some((row) => joined(row).length > width)
  return cells.flatMap((row) => (isNarrow ? [joined(row.slice(0, firstLine)), `   ${joined(row.slice(firstLine))}`] : [joined(row)]))
}

/** The cells of the first of two lines: time, project, task and layers. */
const firstLine = 4

function joined(cells: readonly string[]): string {
  return cells.join('  ').trimEnd()
}

/** Tells whether a column holds numbers: they are aligned by their last digit. */
function isNumber(column: number): boolean {
  return column >= 5 && column <= 7
}

const longestName = 24

function shortened(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`
}

/** Shows the total of a bill: `3 calls, 1,200 tokens in (900 from the cache), 340 out`. */
export function costLine({ calls, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: ShownCosts['total']): string {
  const cached = [
    ...(cacheReadTokens === 0 ? [] : [`${cacheReadTokens.toLocaleString('en')} from the cache`]),
    ...(cacheWriteTokens === 0 ? [] : [`${cacheWriteTokens.toLocaleString('en')} into it`]),
  ]
  const told = cached.length === 0 ? '' : ` (${cached.join(', ')})`
  return `${counted(calls, 'call')}, ${counted(inputTokens, 'token')} in${told}, ${outputTokens.toLocaleString('en')} out`
}

/** Shows a part of a bill: `gists: 3 calls, 1,200 tokens in, 340 out`. */
export function costPartLine({ project, model, day, layer, ...cost }: ShownCosts['parts'][number]): string {
  const names = [project, model, day, layer].flatMap((name) => (name === undefined ? [] : [harmlessLine(name)]))
  return `${names.join('  ')}: ${costLine(cost)}`
}
