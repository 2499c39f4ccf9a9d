import type { Memory } from '../../memory/memory.ts'
import { counted, harmless, minute } from '../terminal.ts'

export type ListedLedgerEntry = Awaited<ReturnType<Memory['ledger']>>[number]

/** The cost of a layer. */
export interface LayerTotal {
  readonly layer: string
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const dash = '-'

/** Shows a line a call, in columns; two lines where the terminal is too narrow. */
export function ledgerLines(calls: readonly ListedLedgerEntry[], width: number | undefined): string[] {
  const rows = calls.map(({ at, project, task, layers, model, inputTokens, outputTokens, ms, outcome }) =>
    [
      minute(at),
      shortened(project),
      task,
      layers.length === 0 ? dash : layers.join('+'),
      shortened(model),
      `${inputTokens.toLocaleString('en')} in`,
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

/** Sums up calls by layer, in the order in which layers are first met. A call for several layers is counted in each. */
export function layerTotals(calls: readonly ListedLedgerEntry[]): LayerTotal[] {
  const totals = new Map<string, LayerTotal>()
  for (const { layers, inputTokens, outputTokens } of calls) {
    for (const layer of layers) {
      const sum = totals.get(layer) ?? { layer, calls: 0, inputTokens: 0, outputTokens: 0 }
      totals.set(layer, {
        layer,
        calls: sum.calls + 1,
        inputTokens: sum.inputTokens + inputTokens,
        outputTokens: sum.outputTokens + outputTokens,
      })
    }
  }
  return [...totals.values()]
}

/** Shows a total: `gists: 3 calls, 1,200 tokens in, 340 out`. */
export function totalLine({ layer, calls, inputTokens, outputTokens }: LayerTotal): string {
  return `${layer}: ${counted(calls, 'call')}, ${counted(inputTokens, 'token')} in, ${outputTokens.toLocaleString('en')} out`
}
