import { median } from './statistics.ts'
import { figure, table } from './table.ts'

/** The target of a figure: at most or at least so much. */
export type Target = { readonly atMost: number } | { readonly atLeast: number }

/** One measured figure: the median of its runs, with the target, if there is one. */
export interface Line {
  readonly of: string
  readonly what: string
  readonly unit: string
  readonly value: number
  readonly runs: readonly number[]
  readonly target?: Target
  readonly met?: boolean
}

export function lineOf(of: string, what: string, unit: string, runs: readonly number[], target?: Target): Line {
  const value = median(runs)
  return { of, what, unit, value, runs, ...(target === undefined ? {} : { target, met: meets(value, target) }) }
}

/** Makes a table of the lines, with target and met or missed, and counts those that were met. */
export function linesTable(lines: readonly Line[]): string {
  const rows = lines.map(({ of, what, unit, value, runs, target, met }) => [
    of,
    what,
    figure(value),
    unit,
    runs.length > 1 ? `${figure(Math.min(...runs))} – ${figure(Math.max(...runs))}` : '',
    target === undefined ? '' : targetText(target),
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ])
  const judged = lines.filter(({ met }) => met !== undefined)
  const summary = `${judged.filter(({ met }) => met === true).length} of ${judged.length} targets met`
  return `${table(['of', 'what', 'figure', 'unit', 'runs', 'target', ''], rows)}\n\n${summary}`
}

function meets(value: number, target: Target): boolean {
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast
}

function targetText(target: Target): string {
  return 'atMost' in target ? `≤ ${figure(target.atMost)}` : `≥ ${figure(target.atLeast)}`
}
