import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { uuidv7 } from '../ids/uuid.ts'
import type { DistilService } from './distil-service.ts'
import type { ReadService } from './read-service.ts'
import { Caller, LateCaller, type Remote, remote } from './rpc.ts'
import { threadFlags } from './thread-flags.ts'
import type { ThreadOptions } from './options.ts'
import type { WriteService } from './write-service.ts'

type Methods<Offered> = { readonly [Name in keyof Offered]: Offered[Name] extends (...args: never[]) => unknown ? Offered[Name] : never }

export interface EngineOptions {
  /** Absolute path, or ':memory:'. */
  readonly file: string
  readonly segmentBytes: number
  readonly now: number
}

/**
 * A thread's room for objects, the index's arrays not among them. Left alone, the part for short-lived ones grows to tens
 * of MB in each thread, and the other keeps garbage of an import: the two saved 90 and 40 MB. A thread that does not write
 * does with half of that part: 16 MB less after 100,000 messages were loaded and asked, and recall as fast.
 */
function resourceLimits({ roles }: ThreadOptions): { maxYoungGenerationSizeMb: number; maxOldGenerationSizeMb: number } {
  return { maxYoungGenerationSizeMb: roles.includes('write') ? 16 : 8, maxOldGenerationSizeMb: 1024 }
}

/**
 * The threads behind a memory: one writes (analysis, group commit, fsync, erasure), one reads (index, ranking, context,
 * exact tokens), and one, where anything is derived, distils, so that neither a commit nor a long conversation holds up a
 * question, nor anything the host's event loop.
 */
export interface Engine {
  readonly write: Remote<Methods<WriteService>>
  readonly read: Remote<Methods<ReadService>>
  /** Reads sessions for what is derived from them, and writes where there is no model: neither holds up a question. Started when it is first asked. */
  readonly distil: Remote<Methods<DistilService>>
  close(): Promise<void>
}

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const identity = { id: uuidv7(options.now), key: randomBytes(32).toString('hex') }
  const shared = { file: options.file, segmentBytes: options.segmentBytes, migrate: { file: options.file, now: options.now, identity } }
  if (options.file === ':memory:') {
    const only = startThread({ ...shared, roles: ['write', 'read', 'distil'] })
    await only.begin()
    return { write: remote(only), read: remote(only), distil: remote(only), close: () => stop([only]) }
  }
  const writer = startThread({ ...shared, roles: ['write'] })
  const reader = startThread({ ...shared, roles: ['read'] })
  try {
    // The writer first: it makes and migrates what the reader opens.
    await writer.begin()
    await reader.begin()
    const distiller = new LateCaller(() => startThread({ ...shared, roles: ['distil'] }))
    return { write: remote(writer), read: remote(reader), distil: remote(distiller), close: () => stop([...distiller.started, reader, writer]) }
  } catch (error) {
    await Promise.all([reader.end(), writer.end()])
    throw error
  }
}

function startThread(options: ThreadOptions): Caller {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new Caller(new Worker(new URL(`./worker.${extension}`, import.meta.url), { workerData: options, resourceLimits: resourceLimits(options), ...threadFlags }))
}

/** What is under way is finished. Readers first, so that the writer's last checkpoint meets none. */
async function stop(callers: readonly Caller[]): Promise<void> {
  for (const caller of callers) {
    try {
      await caller.idle()
      await caller.call('close', [])
    } finally {
      await caller.end()
    }
  }
}
