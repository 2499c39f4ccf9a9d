import { share, table } from '../shared/table.ts'
import type { Interval } from '../shared/statistics.ts'
import { type Asked, cutoffs, quality, type Quality } from './quality.ts'

/** A group of questions by name, with their quality. */
export interface Figure extends Quality {
  readonly group: string
}

/** The least value of each measure at 10 hits. */
export type Targets = Readonly<Partial<Record<'any' | 'fraction' | 'all', number>>>

/** Prints a line for each group that has questions. */
export function printGroups(groups: readonly (readonly [string, readonly Asked[]])[]): Figure[] {
  const figures = groups.filter(([, questions]) => questions.length > 0).map(([group, questions]) => ({ group, ...quality(questions) }))
  console.log(
    table(
      [
        'category',
        'n',
        ...['any', 'fraction', 'all'].flatMap((measure) => cutoffs.map((cutoff) => `${measure}@${cutoff}`)),
        ...['any', 'fraction', 'all'].map((measure) => `${measure}@10 95 %`),
      ],
      figures.map(({ group, n, any, fraction, all, anyInterval, fractionInterval, allInterval }) => [
        group,
        String(n),
        ...[...any, ...fraction, ...all].map(share),
        ...[anyInterval, fractionInterval, allInterval].map(interval),
      ]),
    ),
  )
  return figures
}

/** Prints the figures at 10 hits beside their targets. */
export function printTargets(questions: readonly Asked[], targets: Targets) {
  const overall = quality(questions)
  const judged = (['any', 'fraction', 'all'] as const).flatMap((measure) => {
    const value = overall[measure][cutoffs.indexOf(10)] ?? 0
    const atLeast = targets[measure]
    return atLeast === undefined ? [] : [{ measure: `${measure}@10`, value, atLeast, met: value >= atLeast }]
  })
  console.log(
    `\n${table(
      [`of ${overall.n} questions`, 'figure', 'target', ''],
      judged.map(({ measure, value, atLeast, met }) => [measure, share(value), `≥ ${share(atLeast)}`, met ? 'met' : 'MISSED']),
    )}`,
  )
  return judged
}

function interval({ low, high }: Interval): string {
  return `${share(low)}–${share(high)}`
}
