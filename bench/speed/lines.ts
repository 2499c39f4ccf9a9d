import { type Line, lineOf, type Target } from '../shared/lines.ts'
import { mean, percentile } from '../shared/statistics.ts'
import type { Appended, Imported, Loaded, RecalledAt } from './tasks.ts'

/** A store's size in words, and its targets. */
export interface Subject {
  readonly name: string
  readonly messages: number
  readonly partitions: number
}

/** Target milliseconds of the median question, by the messages in the partition. */
const recallTargets: Readonly<Record<number, number>> = { 10_000: 2, 100_000: 6 }
/** The number of messages for which loading time and memory are promised. */
const large = 100_000

export function importLines({ name, messages }: Subject, runs: readonly Imported[]): Line[] {
  const memory = messages >= large ? { atMost: 250 } : undefined
  return [
    lineOf(
      name,
      `imported, the first ${runs[0]?.first.messages ?? 0}`,
      'ms',
      runs.map(({ first }) => first.wallMs),
    ),
    lineOf(
      name,
      'imported, the rest',
      'messages/s',
      runs.map(({ wallMs, first }) => ((messages - first.messages) * 1_000) / wallMs),
      { atLeast: 15_000 },
    ),
    lineOf(
      name,
      'imported, the rest, CPU',
      'ms/message',
      runs.map(({ cpuMs, first }) => cpuMs / (messages - first.messages)),
    ),
    lineOf(
      name,
      'importing process, peak',
      'MB',
      runs.map(({ peakMb }) => peakMb),
      memory,
    ),
    lineOf(
      name,
      'on disk',
      'bytes/message',
      runs.map(({ bytesPerMessage }) => bytesPerMessage),
      { atMost: 1_200 },
    ),
  ]
}

export function appendLines({ name }: Subject, runs: readonly Appended[]): Line[] {
  const floor = [
    lineOf(
      name,
      'a page synced, without Varve',
      'ms',
      runs.map(({ sync }) => sync.wallMs),
    ),
    lineOf(
      name,
      'a page synced, without Varve, CPU',
      'ms',
      runs.map(({ sync }) => sync.cpuMs),
    ),
  ]
  const lanes = runs[0]?.lanes ?? []
  return [
    ...floor,
    ...lanes.flatMap(({ atOnce }, index) => {
      const same = runs.flatMap((run) => run.lanes[index] ?? [])
      const alone = atOnce === 1
      const [rate, cpu]: (Target | undefined)[] = alone ? [{ atLeast: 2_000 }, { atMost: 0.4 }] : []
      const what = alone ? 'appended one at a time' : `appended ${atOnce} at once`
      return [
        lineOf(
          name,
          what,
          'messages/s',
          same.map(({ appends, wallMs }) => (appends * 1_000) / wallMs),
          rate,
        ),
        lineOf(
          name,
          `${what}, CPU`,
          'ms/message',
          same.map(({ appends, cpuMs }) => cpuMs / appends),
          cpu,
        ),
      ]
    }),
  ]
}

export function loadLines({ name, messages, partitions }: Subject, runs: readonly Loaded[]): Line[] {
  const target = partitions === 1 && messages >= large ? { atMost: 400 } : undefined
  return [
    lineOf(
      name,
      'a cold segment, loading',
      'ms',
      runs.map(({ first, again }) => first.wallMs - again.wallMs),
      target,
    ),
    lineOf(
      name,
      'a cold segment, loading, CPU',
      'ms',
      runs.map(({ first, again }) => first.cpuMs - again.cpuMs),
    ),
  ]
}

export function recallLines({ name, messages, partitions }: Subject, runs: readonly RecalledAt[]): Line[] {
  const single = partitions === 1
  const atMost = single ? recallTargets[messages] : undefined
  const wall = (part: number): number[] =>
    runs.map(({ warm }) =>
      percentile(
        warm.map(({ wallMs }) => wallMs),
        part,
      ),
    )
  return [
    lineOf(
      name,
      'open',
      'ms',
      runs.map(({ open }) => open.wallMs),
    ),
    lineOf(
      name,
      'recall, first of a process',
      'ms',
      runs.map(({ first }) => first.wallMs),
    ),
    lineOf(name, 'recall, warm, p50', 'ms', wall(0.5), atMost === undefined ? undefined : { atMost }),
    lineOf(name, 'recall, warm, p95', 'ms', wall(0.95)),
    lineOf(
      name,
      'recall, warm, CPU',
      'ms',
      runs.map(({ warm }) => mean(warm.map(({ cpuMs }) => cpuMs))),
    ),
    lineOf(
      name,
      'resident after opening',
      'MB',
      runs.map(({ openMb }) => openMb),
    ),
    lineOf(
      name,
      'resident after recalls',
      'MB',
      runs.map(({ residentMb }) => residentMb),
      messages >= large ? { atMost: 250 } : undefined,
    ),
  ]
}
