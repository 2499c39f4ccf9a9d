import { type Line, lineOf, type Target } from '../../shared/lines.ts'
import { mean, percentile } from '../../shared/statistics.ts'
import type { Subject } from '../lines.ts'
import type { Loaded, RecalledAt } from '../tasks.ts'
import type { Embedded, Filled, Modelled, Runtime, Settled } from './tasks.ts'

/** Target milliseconds of the median question, its own embedding included, by the messages in the partition. */
const recallTargets: Readonly<Record<number, Readonly<Record<Runtime, number>>>> = {
  10_000: { wasm: 15, native: 5 },
  100_000: { wasm: 25, native: 12 },
}
const large = 100_000
/** Target tokens a second, by the model's threads. */
const modelTargets: Readonly<Record<Runtime, Readonly<Record<number, number>>>> = { wasm: { 1: 2_500, 2: 4_000 }, native: { 2: 10_000 } }

export function filledLines({ name }: Subject, { bytesPerMessage, overFloor }: Filled): Line[] {
  return [
    lineOf(name, 'on disk, with vectors', 'bytes/message', [bytesPerMessage], { atMost: 4_096 }),
    lineOf(name, 'vectors near enough to a question', '%', [overFloor * 100]),
  ]
}

export function meaningLines(
  { name, messages, partitions }: Subject,
  runtime: Runtime,
  asked: readonly RecalledAt[],
  loaded: readonly Loaded[],
): Line[] {
  const most = partitions === 1 ? recallTargets[messages]?.[runtime] : undefined
  const wall = (part: number): number[] =>
    asked.map(({ warm }) =>
      percentile(
        warm.map(({ wallMs }) => wallMs),
        part,
      ),
    )
  return [
    lineOf(
      name,
      `${runtime}: tokens of a question`,
      'tokens',
      asked.map(({ tokens }) => tokens),
    ),
    lineOf(
      name,
      `${runtime}: recall, first of a process`,
      'ms',
      asked.map(({ first }) => first.wallMs),
    ),
    lineOf(name, `${runtime}: recall, warm, p50`, 'ms', wall(0.5), most === undefined ? undefined : { atMost: most }),
    lineOf(name, `${runtime}: recall, warm, p95`, 'ms', wall(0.95)),
    lineOf(name, `${runtime}: recall, warm, least`, 'ms', wall(0)),
    lineOf(
      name,
      `${runtime}: recall, warm, CPU`,
      'ms',
      asked.map(({ warm }) => mean(warm.map(({ cpuMs }) => cpuMs))),
    ),
    lineOf(
      name,
      `${runtime}: resident after recalls`,
      'MB',
      asked.map(({ residentMb }) => residentMb),
      messages >= large ? { atMost: 450 } : undefined,
    ),
    lineOf(
      name,
      `${runtime}: a cold segment, loading`,
      'ms',
      loaded.map(({ first, again }) => first.wallMs - again.wallMs),
    ),
    lineOf(
      name,
      `${runtime}: a cold segment, loading, CPU`,
      'ms',
      loaded.map(({ first, again }) => first.cpuMs - again.cpuMs),
    ),
  ]
}

export function embedLines(runtime: Runtime, embedded: readonly Embedded[], settled: readonly Settled[]): Line[] {
  const of = 'embedding'
  return [
    ...throughput(of, `${runtime}: by upkeep`, embedded, runtime === 'wasm' ? { atLeast: 2_500 } : undefined),
    lineOf(
      of,
      `${runtime}: by upkeep`,
      'messages/s',
      embedded.map(({ messages, wallMs }) => (messages * 1_000) / wallMs),
    ),
    lineOf(
      of,
      `${runtime}: appended one at a time`,
      'messages/s',
      settled.map(({ appends, appendedMs }) => (appends * 1_000) / appendedMs),
    ),
    lineOf(
      of,
      `${runtime}: appended until embedded, CPU`,
      'ms/message',
      settled.map(({ appends, cpuMs }) => cpuMs / appends),
    ),
  ]
}

export function modelLines(runtime: Runtime, threads: number, runs: readonly Modelled[]): Line[] {
  const least = modelTargets[runtime][threads]
  const of = 'the model'
  const alone = runs.map(({ questions }) =>
    percentile(
      questions.map(({ wallMs }) => wallMs),
      0.5,
    ),
  )
  return [
    ...throughput(of, `${runtime}, threads: ${threads}`, runs, least === undefined ? undefined : { atLeast: least }),
    ...(threads === 1 ? [lineOf(of, `${runtime}: a question, p50`, 'ms', alone)] : []),
  ]
}

function throughput(of: string, what: string, runs: readonly Embedded[], target: Target | undefined): Line[] {
  return [
    lineOf(
      of,
      what,
      'tokens/s',
      runs.map(({ tokens, wallMs }) => (tokens * 1_000) / wallMs),
      target,
    ),
    lineOf(
      of,
      `${what}, CPU`,
      'tokens/CPU-s',
      runs.map(({ tokens, cpuMs }) => (tokens * 1_000) / cpuMs),
    ),
  ]
}
