import { mean, percentile } from '../shared/statistics.ts'
import { figure, table } from '../shared/table.ts'
import type { Timed } from './tasks.ts'

/** A call's figures, with their targets. */
export interface FactLine {
  readonly what: string
  readonly calls: number
  readonly answered: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly cpuMs: number
  /** The ratio of p50 to that of the same call about the present. */
  readonly ratio?: number
  readonly target?: string
  readonly met?: boolean
}

const targets = { query: 2, recall: 8, assertion: 1, ratio: 2 } as const

const now = ', now'
const then = ', asOf in the past'

export function factLines(timed: readonly Timed[]): FactLine[] {
  const lines = timed.map(({ what, costs, answered }) => {
    const walls = costs.map(({ wallMs }) => wallMs)
    return {
      what,
      calls: costs.length,
      answered,
      p50: percentile(walls, 0.5),
      p95: percentile(walls, 0.95),
      p99: percentile(walls, 0.99),
      cpuMs: mean(costs.map(({ cpuMs }) => cpuMs)),
    }
  })
  const present = new Map(lines.map((line) => [line.what.replace(now, ''), line.p50]))
  return lines.map((line) => {
    const before = line.what.endsWith(then) ? present.get(line.what.replace(then, '')) : undefined
    return { ...line, ...(before === undefined ? {} : { ratio: line.p50 / before }), ...judged(line, before) }
  })
}

function judged({ what, p50, cpuMs }: Omit<FactLine, 'ratio'>, before: number | undefined): { target?: string; met?: boolean } {
  if (before !== undefined) return { target: `≤ ${targets.ratio} × now`, met: p50 <= targets.ratio * before }
  if (what.startsWith('query by')) return { target: `p50 ≤ ${targets.query}`, met: p50 <= targets.query }
  if (what === 'facts.recall') return { target: `p50 ≤ ${targets.recall}`, met: p50 <= targets.recall }
  return what === 'add' ? { target: `CPU ≤ ${targets.assertion}`, met: cpuMs <= targets.assertion } : {}
}

export function factTable(lines: readonly FactLine[]): string {
  const rows = lines.map(({ what, calls, answered, p50, p95, p99, cpuMs, ratio, target = '', met }) => [
    what,
    String(calls),
    figure(answered),
    figure(p50),
    figure(p95),
    figure(p99),
    figure(cpuMs),
    ratio === undefined ? '' : figure(ratio),
    target,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ])
  return table(['call', 'calls', 'answered', 'p50 ms', 'p95', 'p99', 'CPU-ms', '× now', 'target', ''], rows)
}
