import { residentMb } from '../shared/usage.ts'
import type { Serving, Taken, Task } from './tasks.ts'

/** Tells the parent where this process serves, does its tasks, and ends when it is told to or when the parent is gone. */
export function serveTasks(serving: Serving, did: (task: Task) => Promise<Taken>, close: () => Promise<void>): void {
  process.once('disconnect', () => process.exit())
  process.on('message', (asked) => {
    const task: Task = JSON.parse(String(asked))
    void did(task).then(async (taken) => {
      process.send?.(JSON.stringify(taken))
      if (task.do !== 'end') return
      await close()
      process.disconnect?.()
    })
  })
  process.send?.(JSON.stringify(serving))
}

/** What the process holds now. */
export function heldNow(): Pick<Taken, 'rssMb' | 'heapMb'> {
  return { rssMb: residentMb(), heapMb: process.memoryUsage().heapUsed / 1e6 }
}
