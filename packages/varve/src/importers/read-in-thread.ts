import { Worker } from 'node:worker_threads'
import { ImportFailed } from '../errors/import-failed.ts'
import { Line } from '../engine/threads/line.ts'
import { threadFlags } from '../engine/threads/thread-flags.ts'
import type { ImportFormat, ItemPage } from './importer.ts'

/** What the reading thread is started with. */
export interface ReadRequest {
  readonly path: string
  readonly format: ImportFormat | undefined
}

/** Room for short-lived objects, of which parsing makes many. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/**
 * The pages of a file, read and parsed in a thread of its own: a conversation of some MB holds a thread up for as long as
 * it is checked. The next page is read while one is handled. Throws what reading throws, and ImportFailed when the thread ends.
 */
export async function* readInThread(path: string, format: ImportFormat | undefined): AsyncGenerator<ItemPage> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const request: ReadRequest = { path, format }
  const worker = new Worker(new URL(`./read-thread.${extension}`, import.meta.url), { workerData: request, resourceLimits, ...threadFlags })
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
      // Whoever leaves early does not wait for the next one; who stays is told how it went.
      void Promise.allSettled([coming])
      yield page
      if (page.done) return
    }
  } finally {
    await worker.terminate()
  }
}
