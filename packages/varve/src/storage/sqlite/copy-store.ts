import { Worker } from 'node:worker_threads'
import { Cancelled } from '../../errors/cancelled.ts'
import { StoreFailed } from '../../errors/store-failed.ts'
import { fromWire } from '../../errors/wire.ts'
import { foundElsewhere } from '../../packaged/packaged-file.ts'
import type { StoreCopy } from '../store-engine.ts'
import type { Connection } from './connection.ts'
import type { CopyAnswer } from './copy-worker.ts'
import { type CopyRequest, copyPages, pagesBeside } from './make-copy.ts'

interface Copying {
  /** Absolute path of the store, or ':memory:'. */
  readonly store: string
  readonly to: string
  readonly signal: AbortSignal
}

/** Pages of a store in memory that are copied in one turn. They take the thread of its host less than a millisecond. */
const pagesAtOnce = 64

/**
 * Copies a store into a new file, in a thread of its own: no other call waits for it. A store in memory can be read by its
 * own connection alone. Its pages are copied here first, a few at a time between other calls, with the changes made
 * meanwhile.
 */
export async function copyStore(connection: Connection, { store, to, signal }: Copying): Promise<StoreCopy> {
  const copied = store === ':memory:' ? pagesBeside(to) : undefined
  if (copied !== undefined) {
    await copyPages(connection, copied, () => {
      if (signal.aborted) throw new Cancelled({ operation: 'backup' })
      return pagesAtOnce
    })
  }
  return inWorker({ ...(copied === undefined ? { store } : {}), to }, signal)
}

function inWorker(request: CopyRequest, signal: AbortSignal): Promise<StoreCopy> {
  const elsewhere = foundElsewhere(() => new URL('./copy-worker.ts', import.meta.url), 'dist/storage/sqlite/copy-worker.js')
  const { promise, resolve, reject } = Promise.withResolvers<StoreCopy>()
  // Bundlers find a thread where its options are written out.
  const worker =
    elsewhere === undefined
      ? new Worker(new URL('./copy-worker.ts', import.meta.url), { workerData: undefined })
      : new Worker(elsewhere, { workerData: undefined })
  worker.postMessage(request)
  const stop = (): void => worker.postMessage('stop')
  worker.once('message', (answer: CopyAnswer) => ('error' in answer ? reject(fromWire(answer.error)) : resolve(answer.copy)))
  worker.once('error', reject)
  worker.once('exit', () => reject(new StoreFailed({ operation: 'backup', reason: 'its thread ended without an answer' })))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', stop))
}
