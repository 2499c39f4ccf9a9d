import { setTimeout as pause } from 'node:timers/promises'
import type { Memory } from '../memory/memory.ts'
import { upkeepBar } from './progress.ts'

type RunOptions = NonNullable<Parameters<Memory['upkeep']['run']>[0]>

/** The bounds of upkeep. `maxCalls` counts all runs together; after it, only work without calls goes on. */
export interface UpkeepBounds extends Pick<RunOptions, 'maxCalls' | 'kinds' | 'all'> {
  readonly seconds: number
  /** Goes on, and looks again, when nothing is left. */
  readonly watches?: boolean
}

export type UpkeepDone = ReturnType<typeof upkeepDone>

/** Counts the work since the memory was opened, such as facts worked into documents and updated notes. */
export function upkeepDone(memory: Memory) {
  const { distilled, digested, embedded, documented, noted, erased, modelCalls } = memory.counters()
  return { distilled, digested, embedded, documented, noted, erasures: erased, modelCalls }
}

/** The pauses before the next look: while another process does the rest, and while nothing is due. */
const pauseForOthersMs = 500
const pauseForMoreMs = 1_000

/**
 * Does due work, a second at a time, and shows its progress on stderr. It ends when nothing is left, when the rest fails, when
 * the time is over, or when `signal` aborts. The caller may then close the memory, which ends a call to a model.
 */
export async function doUpkeep(memory: Memory, bounds: UpkeepBounds, signal: AbortSignal): Promise<void> {
  try {
    await loop(memory, bounds, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function loop(memory: Memory, bounds: UpkeepBounds, signal: AbortSignal): Promise<void> {
  const { seconds, watches = false, all = false, kinds } = bounds
  using bar = upkeepBar(await memory.upkeep.status(), { all, embeds: kinds !== undefined })
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
      const status = await memory.upkeep.status()
      const { backlog, failures } = status
      bar.show(status)
      const isOver = (settled && backlog.embeddings === 0 && backlog.erasures === 0) || (isIdle && failures.length > 0)
      if (isOver && !watches) return
    }
    if (isIdle)
      await pause(Math.min(watches ? pauseForMoreMs : pauseForOthersMs, Math.max(0, until - performance.now())), undefined, { signal })
  }
}

/** Gives the bounds of the next run. Once the calls are used up, it leaves layers out: they would wait for more calls. */
function callsLeft(memory: Memory, { maxCalls, kinds }: UpkeepBounds): RunOptions {
  if (maxCalls === undefined) return kinds === undefined ? {} : { kinds }
  const calls = maxCalls - memory.counters().modelCalls
  return calls > 0 ? { maxCalls: calls, ...(kinds === undefined ? {} : { kinds }) } : { kinds: ['erasures', 'embeddings'] }
}
