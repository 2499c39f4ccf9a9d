import { figure, table } from '../shared/table.ts'
import type { Planned } from './plans.ts'
import type { CallCost, Filled, Used } from './tasks.ts'

export interface Sized {
  readonly messages: number
  readonly users: number
  readonly filled: Filled
  readonly used: Used
}

type Row = readonly [what: string, unit: string, of: (size: Sized) => number]

const none = Number.NaN

const rows: readonly Row[] = [
  ['filled', 'messages/s', ({ messages, filled }) => (messages * 1_000) / filled.wallMs],
  ['filled, CPU of the process', 'ms/message', ({ messages, filled }) => filled.cpuMs / messages],
  ['filled, CPU of the server', 'ms/message', ({ messages, filled }) => (filled.serverCpuMs ?? none) / messages],
  ['tables and indexes', 'bytes/message', ({ messages, filled }) => filled.storedBytes / messages],
  ['of it indexes', 'bytes/message', ({ messages, filled }) => filled.indexBytes / messages],
  ['write-ahead log', 'bytes/message', ({ messages, filled }) => filled.logBytes / messages],
  ['one row committed, p50', 'ms', ({ used }) => used.commitMs],
  ...callRows('one message appended', ({ used }) => used.append),
  ...callRows('recall, cold', ({ used }) => used.cold),
  ...callRows('recall, warm', ({ used }) => used.warm),
  ['segments in the process', 'MB', ({ used }) => used.segmentBytes / 1e6],
  ['segments in the process', 'bytes/message', ({ messages, users, used }) => used.segmentBytes / ((messages / users) * used.segmentUsers)],
  ['resident after all', 'MB', ({ used }) => used.residentMb],
]

function callRows(what: string, of: (size: Sized) => CallCost): Row[] {
  return [
    [`${what}, p50`, 'ms', (size) => of(size).p50Ms],
    [`${what}, CPU of the process`, 'ms', (size) => of(size).cpuMs],
    [`${what}, CPU of the server`, 'ms', (size) => of(size).serverCpuMs ?? none],
  ]
}

/** A column a size: how each cost grows. */
export function growthTable(sizes: readonly Sized[]): string {
  const head = [
    '',
    ...sizes.map(({ messages, users }) => `${messages.toLocaleString('en-US')} of ${users.toLocaleString('en-US')}`),
    'unit',
  ]
  return table(
    head,
    rows.map(([what, unit, of]) => [what, ...sizes.map((size) => figure(of(size))), unit]),
  )
}

export function plansTable(plans: readonly Planned[]): string {
  return table(
    ['partitions', 'statements of a recall', 'planning, ms', 'locks'],
    plans.map(({ partitions, statements, planningMs, locks }) => [
      partitions.toLocaleString('en-US'),
      String(statements),
      figure(planningMs),
      String(locks),
    ]),
  )
}
