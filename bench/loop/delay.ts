import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks'

/** The delays of the event loop, in ms. The timer's own millisecond is included. */
export interface Delay {
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  /**
   * CPU time of the loop's own thread between two ticks of a millisecond, in ms: its own work. The rest of a delay is
   * the scheduler, which ran other work on the core.
   */
  readonly own: { readonly p99: number; readonly max: number }
  /** CPU time of the loop's own thread in all. */
  readonly hostCpuMs: number
}

const resolutionMs = 1
const nanosecondsPerMs = 1e6
const microsecondsPerMs = 1e3

/** Watches the event loop while some work goes on. */
export async function watched(work: () => Promise<void>): Promise<Delay> {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  const own = createHistogram()
  const before = threadMicroseconds()
  const ticking = setInterval(recordOwn(own), resolutionMs)
  delay.enable()
  await work()
  delay.disable()
  clearInterval(ticking)
  const hostCpuMs = (threadMicroseconds() - before) / microsecondsPerMs
  const at = (percentile: number): number => delay.percentile(percentile) / nanosecondsPerMs
  return {
    p50: at(50),
    p99: at(99),
    p999: at(99.9),
    max: delay.max / nanosecondsPerMs,
    own: { p99: own.percentile(99) / microsecondsPerMs, max: own.max / microsecondsPerMs },
    hostCpuMs,
  }
}

function recordOwn(own: RecordableHistogram): () => void {
  let last = threadMicroseconds()
  return () => {
    const now = threadMicroseconds()
    own.record(Math.max(1, Math.round(now - last)))
    last = now
  }
}

function threadMicroseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
