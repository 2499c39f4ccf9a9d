import { Worker } from 'node:worker_threads'
import { ImportFailed } from '../errors/import-failed.ts'
import { Line } from '../engine/threads/line.ts'
import { threadFlags } from '../engine/threads/thread-flags.ts'
import { foundElsewhere } from '../packaged/packaged-file.ts'
import type { ImportFormat } from './formats/all.ts'
import type { ItemPage } from './importer.ts'

/** The request with which the reading thread is started. */
export interface ReadRequest {
  readonly path: string
  readonly format: ImportFormat | undefined
}

/** Memory for short-lived objects: parsing makes many. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/**
 * Yields the pages of a file, read and parsed in a thread of its own. A conversation of some MB blocks a thread while
 * it is checked. The next page is read while one is handled.
 *
 * Throws the reader's errors, and ImportFailed when the thread ends.
 */
export async function* readInThread(path: string, format: ImportFormat | undefined): AsyncGenerator<ItemPage> {
  const workerData: ReadRequest = { path, format }
  const elsewhere = foundElsewhere(() => new URL('./read-thread.ts', import.meta.url), 'dist/importers/read-thread.js')
  const worker =
    elsewhere === undefined
      ? new Worker(new URL('./read-thread.ts', import.meta.url), { workerData, resourceLimits, execArgv: threadFlags })
      : new Worker(elsewhere, { workerData, resourceLimits, execArgv: threadFlags })
  const line = new Line(worker)
  const ended = (why: string, options?: ErrorOptions): void =>
    line.fail(new ImportFailed({ file: path, reason: `the thread that reads it has ended (${why}).` }, options))
  worker.on('error', (cause) => ended(cause.message, { cause }))
  worker.on('exit', (code) => ended(`exit code ${code}`))
  const next = (): Promise<ItemPage> => line.call({ kind: 'import', name: 'next', args: [], now: 0 })
  try {
    let coming = next()
    for (;;) {
      const page = await coming
      if (!page.done) coming = next()
      // A consumer that leaves early does not wait for the next page; one that stays gets its error.
      void Promise.allSettled([coming])
      yield page
      if (page.done) return
    }
  } finally {
    await worker.terminate()
  }
}
