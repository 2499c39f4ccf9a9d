import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { type Clock, systemClock } from '../../clock/clock.ts'
import type { ThreadStart } from '../../engine/threads/thread-engine.ts'
import type { Engine } from '../../engine/engine.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { foundElsewhere } from '../../packaged/packaged-file.ts'

interface Store {
  /** Absolute path, or ':memory:'. */
  readonly file: string
  readonly segmentBytes: number
  readonly engine: 'threads' | 'inline'
  readonly clock: Clock
}

/** Starts the engine of a store, in threads of its own or in the caller's. Loads only the code that it needs. */
export async function openStore({ file, segmentBytes, engine, clock }: Store): Promise<Engine> {
  const identity = { id: uuidv7(clock.now()), key: randomBytes(32).toString('hex') }
  const options = { place: file, segmentBytes, clock, identity }
  if (engine === 'inline' || file === ':memory:') {
    const [{ startInline }, { sqliteEngine }] = await Promise.all([
      import('../../engine/inline.ts'),
      import('../../storage/sqlite/sqlite-engine.ts'),
    ])
    return startInline(sqliteEngine, options)
  }
  const { startThreads } = await import('../../engine/threads/thread-engine.ts')
  const elsewhere = foundElsewhere(() => new URL('./worker.ts', import.meta.url), 'dist/memory/stores/worker.js')
  const start = ({ workerData, resourceLimits, execArgv }: ThreadStart): Worker =>
    elsewhere === undefined
      ? new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits, execArgv })
      : new Worker(elsewhere, { workerData, resourceLimits, execArgv })
  return startThreads({ ...options, start, isSystemClock: clock === systemClock })
}
