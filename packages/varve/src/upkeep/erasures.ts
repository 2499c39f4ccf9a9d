import type { Clock } from '../clock/clock.ts'
import type { Observer } from '../observe/observer.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { Turn } from './loop.ts'

/** What finishing erasures needs of a store. */
export interface ErasureTasks {
  finishErasures(now: number): Promise<{ done: number; reason: string | undefined }>
  pendingErasures(): Promise<readonly (Receipt & { attempts: number; leaseUntil: number })[]>
}

/** Tries within one turn: a reader that holds the log is often gone a moment later. */
const triesPerTurn = 5
const pauseBetweenTriesMs = 40

/** Gets what was erased out of the files' bytes. */
export async function finishErasures(tasks: ErasureTasks, clock: Clock, observer: Observer, until: number): Promise<Turn> {
  let finished = 0
  for (let tries = 0; tries < triesPerTurn && performance.now() < until; tries += 1) {
    if ((await tasks.pendingErasures()).length === 0) return { done: finished, settled: true }
    const { done, reason } = await tasks.finishErasures(clock.now())
    finished += done
    if (done > 0) {
      observer.count('erased', done)
      observer.emit({ type: 'erased', receipts: done })
    }
    if (reason !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseBetweenTriesMs))
  }
  return { done: finished, settled: (await tasks.pendingErasures()).length === 0 }
}
