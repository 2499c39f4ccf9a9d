import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../../clock/clock.ts'
import type { Engine } from '../../engine/engine.ts'
import { uuidv7 } from '../../ids/uuid.ts'

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
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return startThreads({ ...options, worker: new URL(`./worker.${extension}`, import.meta.url), isSystemClock: clock === systemClock })
}
