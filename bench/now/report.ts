import { type Line, lineOf, linesTable, type Target } from '../shared/lines.ts'
import { mean } from '../shared/statistics.ts'
import { share, table } from '../shared/table.ts'
import { kinds, traps } from './history.ts'
import { failuresOf, type Judged, type Measure, trapMeasures, updateMeasures } from './judge.ts'

const targets: Readonly<Partial<Record<Measure, Target>>> = {
  new: { atLeast: 0.9 },
  old: { atMost: 0.05 },
  first: { atLeast: 0.9 },
  unharmed: { atLeast: 0.95 },
}

/** Shares over some histories by measure, each of the histories for which it counts. */
export interface Row {
  readonly group: string
  readonly updates: number
  readonly traps: number
  readonly shares: Readonly<Partial<Record<Measure, number>>>
}

/** Prints the figures of a set: by kind, by trap, and overall beside the targets. */
export function printSet(set: string, judged: readonly Judged[]) {
  const byKind = rowsOf(kinds, ({ history }) => history.kind, judged)
  const byTrap = rowsOf(traps, ({ history }) => history.trap, judged)
  const total = totals(judged)
  console.log(`${set}: ${judged.length} histories\n`)
  if (byKind.length > 0) console.log(`${byKindTable(byKind)}\n`)
  if (byTrap.length > 0) console.log(`${byTrapTable(byTrap)}\n`)
  console.log(`${linesTable(total)}\n`)
  return { set, byKind, byTrap, total }
}

/** Prints a line for each history that fails in something. */
export function printFailures(judged: readonly Judged[]): void {
  for (const one of judged) {
    const failures = failuresOf(one)
    if (failures.length === 0) continue
    const { id, kind, trap = 'update' } = one.history
    console.log(`${id} (${kind}, ${trap}) ${failures.join(', ')}: ${one.facts.length === 0 ? 'no facts' : one.facts.join(' · ')}`)
  }
  console.log('')
}

function rowsOf<Group extends string>(
  groups: readonly Group[],
  groupOf: (one: Judged) => Group | undefined,
  judged: readonly Judged[],
): Row[] {
  return groups.flatMap((group) => {
    const some = judged.filter((one) => groupOf(one) === group)
    const updates = some.filter(({ history }) => history.trap === undefined).length
    const measures = [...updateMeasures, ...trapMeasures].map((measure) => [measure, shareOf(some, measure)] as const)
    return some.length === 0 ? [] : [{ group, updates, traps: some.length - updates, shares: Object.fromEntries(measures) }]
  })
}

function totals(judged: readonly Judged[]): Line[] {
  const lines = (of: string, measures: readonly Measure[]): Line[] =>
    measures.flatMap((measure) => {
      const count = valuesOf(judged, measure).length
      return count === 0 ? [] : [lineOf(of, measure, `of ${count}`, [shareOf(judged, measure)], targets[measure])]
    })
  return [...lines('updates', updateMeasures), ...lines('traps', trapMeasures)]
}

function byKindTable(rows: readonly Row[]): string {
  return table(
    ['kind', 'updates', ...updateMeasures, 'traps', ...trapMeasures],
    rows.map(({ group, updates, traps, shares }) => [
      group,
      String(updates),
      ...cells(shares, updateMeasures),
      String(traps),
      ...cells(shares, trapMeasures),
    ]),
  )
}

function byTrapTable(rows: readonly Row[]): string {
  return table(
    ['trap', 'n', ...trapMeasures],
    rows.map(({ group, traps, shares }) => [group, String(traps), ...cells(shares, trapMeasures)]),
  )
}

function cells(shares: Row['shares'], measures: readonly Measure[]): string[] {
  return measures.map((measure) => share(shares[measure] ?? Number.NaN))
}

function shareOf(judged: readonly Judged[], measure: Measure): number {
  return mean(valuesOf(judged, measure))
}

function valuesOf(judged: readonly Judged[], measure: Measure): number[] {
  return judged.flatMap(({ measures }) => {
    const value = measures.get(measure)
    return value === undefined ? [] : [Number(value)]
  })
}
