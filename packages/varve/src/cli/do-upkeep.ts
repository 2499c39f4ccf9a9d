import { setTimeout as pause } from 'node:timers/promises'
import type { Memory } from '../memory/memory.ts'
import { upkeepBar } from './progress.ts'

type RunOptions = NonNullable<Parameters<Memory['upkeep']['run']>[0]>

/** `maxCalls` is of all runs together; then only what needs none is done. */
export interface UpkeepBounds extends Pick<RunOptions, 'maxCalls' | 'kinds' | 'all'> {
  readonly seconds: number
  /** Goes on when nothing is left. */
  readonly watches?: boolean
}

export type UpkeepDone = ReturnType<typeof upkeepDone>

/** What was done while the memory was open: facts that got into documents, pages of notes that were brought up to date, … */
export function upkeepDone(memory: Memory) {
  const { distilled, digested, embedded, documented, noted, erased, modelCalls } = memory.counters()
  return { distilled, digested, embedded, documented, noted, erasures: erased, modelCalls }
}

/** How long it waits before it looks again, while another process is at what is left, and while nothing is due. */
const pauseForOthersMs = 500
const pauseForMoreMs = 1_000

/**
 * Does what is due, a second at a time, with a bar on a terminal, until nothing is left, what is left fails, the time is
 * over or it is stopped. Whoever stops it may close the memory, which ends a call to a model.
 */
export async function doUpkeep(memory: Memory, bounds: UpkeepBounds, signal: AbortSignal): Promise<void> {
  try {
    await loop(memory, bounds, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function loop(memory: Memory, bounds: UpkeepBounds, signal: AbortSignal): Promise<void> {
  const { seconds, watches = false, all = false } = bounds
  using bar = upkeepBar((await memory.upkeep.status()).backlog)
  const until = performance.now() + seconds * 1_000
  while (!signal.aborted) {
    const left = (until - performance.now()) / 1_000
    if (left <= 0) return
    const {
      settled,
      waiting: _waiting,
      ...did
    } = await memory.upkeep.run({ maxSeconds: Math.min(1, left), all, ...callsLeft(memory, bounds) })
    const isIdle = Object.values(did).every((count) => count === 0)
    if (!isIdle || !watches) {
      const { backlog, failures } = await memory.upkeep.status()
      bar.show(backlog)
      const isOver = (settled && backlog.embeddings === 0 && backlog.erasures === 0) || (isIdle && failures.length > 0)
      if (isOver && !watches) return
    }
    if (isIdle)
      await pause(Math.min(watches ? pauseForMoreMs : pauseForOthersMs, Math.max(0, until - performance.now())), undefined, { signal })
  }
}

/** Once the calls are used up, layers are not looked at any more: they would wait for more calls. */
function callsLeft(memory: Memory, { maxCalls, kinds }: UpkeepBounds): RunOptions {
  if (maxCalls === undefined) return kinds === undefined ? {} : { kinds }
  const calls = maxCalls - memory.counters().modelCalls
  return calls > 0 ? { maxCalls: calls, ...(kinds === undefined ? {} : { kinds }) } : { kinds: ['erasures', 'embeddings'] }
}
