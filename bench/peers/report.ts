import { cutoffs } from '../talk/quality.ts'
import { figure, share, table } from '../shared/table.ts'
import type { Line } from './lines.ts'
import type { Share } from './measure.ts'

const head = [
  'system',
  'finds by',
  'any@10',
  '95 %',
  'fraction@10',
  'all@10',
  'any@10, last five',
  'append, CPU-ms',
  'last 1,000',
  'recall, CPU-ms',
  'resident MB',
  'of it the system',
  'bytes/message',
  'lost after kill -9',
]

/** Lists all systems side by side. `a + b`: the system's own process, and the embedding endpoint's. */
export function report(lines: readonly Line[]): string {
  return table(head, rowsOf(lines))
}

/** Makes the same as a table of markdown, for docs/reference/peers.md. */
export function markdownReport(lines: readonly Line[]): string {
  return [head, head.map(() => '---'), ...rowsOf(lines)].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function rowsOf(lines: readonly Line[]): string[][] {
  return lines.map((line) => {
    const { quality, reportingHalf, resident } = line
    const at = cutoffs.indexOf(10)
    const { low, high } = quality.anyInterval
    return [
      line.label,
      line.finds,
      share(quality.any[at] ?? Number.NaN),
      `${share(low)}–${share(high)}`,
      share(quality.fraction[at] ?? Number.NaN),
      share(quality.all[at] ?? Number.NaN),
      share(reportingHalf.any[at] ?? Number.NaN),
      both(line.append),
      both(line.lastAppends),
      both(line.recall),
      figure(resident.loaded),
      figure(resident.loaded - resident.before),
      line.bytesPerMessage === undefined ? 'none kept' : figure(line.bytesPerMessage),
      lost(line),
    ]
  })
}

/** The endpoint answers the question about its usage even when it gets no text. Under this much it did nothing else. */
const nothingMs = 0.05

function both({ own, endpoint }: Share): string {
  return endpoint < nothingMs ? figure(own) : `${figure(own)} + ${figure(endpoint)}`
}

function lost({ kills }: Line): string {
  return typeof kills === 'string' ? kills : `${kills.lost} of ${kills.acknowledged.toLocaleString('en-US')} in ${kills.rounds} kills`
}
