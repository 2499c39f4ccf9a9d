import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { type Clock, systemClock } from '../../clock/clock.ts'
import type { ThreadStart } from '../../engine/threads/thread-engine.ts'
import type { Engine } from '../../engine/engine.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { foundElsewhere } from '../../packaged/packaged-file.ts'
import type { StoreEngine } from '../../storage/store-engine.ts'
import { isPostgres } from '../places.ts'

interface Store {
  /** Absolute path, ':memory:', or the address of a PostgreSQL server. */
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
    const [{ startInline }, storeEngine] = await Promise.all([import('../../engine/inline.ts'), storeEngineOf(file)])
    return startInline(storeEngine, options)
  }
  const { startThreads } = await import('../../engine/threads/thread-engine.ts')
  const elsewhere = foundElsewhere(() => new URL('./worker.ts', import.meta.url), 'dist/memory/stores/worker.js')
  const start = ({ workerData, resourceLimits, execArgv }: ThreadStart): Worker =>
    elsewhere === undefined
      ? new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits, execArgv })
      : new Worker(elsewhere, { workerData, resourceLimits, execArgv })
  return startThreads({ ...options, start, isSystemClock: clock === systemClock })
}

/** Loads the storage engine of a place. */
export async function storeEngineOf(place: string): Promise<StoreEngine> {
  return isPostgres(place)
    ? (await import('../../storage/postgres/postgres-engine.ts')).postgresEngine
    : (await import('../../storage/sqlite/sqlite-engine.ts')).sqliteEngine
}
