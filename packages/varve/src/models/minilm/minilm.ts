import { shown } from '../../errors/shown.ts'
import { availableParallelism } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { z } from 'zod'
import { Cancelled } from '../../errors/cancelled.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'
import type { EmbeddingModel, EmbeddingModelIdentity, EmbeddingStatus, EmbedOptions } from '../embedding-model.ts'
import { identity, limits } from './identity.ts'
import { modelIn, type ModelPaths, packagedModel, verifyModelFiles } from './model-files.ts'
import { Pool } from './pool.ts'
import type { Job } from './jobs.ts'
import type { RuntimePreference } from './runtime.ts'
import { sliceTexts } from './slices.ts'
import { startThread } from './thread-handle.ts'

export interface MiniLmOptions {
  /** The most threads, each with a model of its own in memory. Default 2 on a machine with 4 processors or more, else 1. */
  readonly threads?: number
  /** The runtime. Default `auto`: onnxruntime-node where it is installed and works, else WebAssembly. */
  readonly runtime?: RuntimePreference
  /** The folder of its files. Default: in this package. */
  readonly folder?: string
}

const optionsShape = z.strictObject({
  threads: z.int().min(1).max(64).optional(),
  runtime: z.enum(['auto', 'wasm', 'native']).default('auto'),
  folder: z.string().min(1).optional(),
})

/**
 * Makes all-MiniLM-L6-v2, which comes with the package: 384 components, English above all. It runs in threads of its
 * own. `load` or the first text starts them, `close` ends them; idle, they do not keep the process alive.
 *
 * @example const [vector] = await miniLm().embed(['what did we decide on pricing?'], { priority: 'query' })
 * @throws InvalidOption for a bad option.
 */
export function miniLm(options: MiniLmOptions = {}): EmbeddingModel {
  const { data, error } = optionsShape.safeParse(options)
  if (data === undefined) {
    const [problem] = error.issues
    throw new InvalidOption({
      option: problem?.path.join('.') ?? 'options',
      received: shown(options),
      expected: problem?.message ?? 'valid',
    })
  }
  const { folder, threads = availableParallelism() >= 4 ? 2 : 1 } = data
  // A host that is a thread itself may be terminated at any time, and a running native call would take the process with it.
  const runtime = data.runtime === 'auto' && !isMainThread ? 'wasm' : data.runtime
  const paths = (): ModelPaths => (folder === undefined ? packagedModel() : modelIn(folder))
  return new MiniLm(new Pool(() => startThread({ paths: paths(), runtime }), threads), paths)
}

/** The model over any pool of threads that speak its protocol. */
export class MiniLm implements EmbeddingModel {
  readonly limits = limits
  readonly #pool: Pool
  readonly #paths: () => ModelPaths

  /** `paths` throws PackageFileMissing when the package has lost its model. */
  constructor(pool: Pool, paths: () => ModelPaths = packagedModel) {
    this.#pool = pool
    this.#paths = paths
  }

  async verify(): Promise<void> {
    await verifyModelFiles(this.#paths())
  }

  /** The identity is known without loading anything. */
  identity(): Promise<EmbeddingModelIdentity> {
    return Promise.resolve(identity)
  }

  load(): Promise<void> {
    return this.#pool.load()
  }

  async embed(
    texts: readonly string[],
    { signal, priority = 'background', holdsProcess = true }: EmbedOptions = {},
  ): Promise<readonly Float32Array[]> {
    if (texts.length > limits.texts)
      throw new InvalidOption({ option: 'texts', received: `${texts.length} texts`, expected: `at most ${limits.texts} texts` })
    if (signal?.aborted === true) throw cancelled(signal)
    if (texts.length === 0) return []
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const slices = sliceTexts(texts)
    const job: Job = { slices, vectors: [], left: slices.length, holdsProcess, priority, resolve, reject }
    this.#pool.add(job)
    const cancel = (): void => {
      this.#pool.withdraw(job)
      if (signal !== undefined) reject(cancelled(signal))
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      await promise
      return job.vectors
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  status(): EmbeddingStatus {
    const { ready, failure, isLoading, threads, tokens, ms } = this.#pool
    const counts = { name: identity.name, threads, tokens, ms: Math.round(ms) }
    if (failure !== undefined) return { runtime: 'none', detail: 'cannot be used', ...counts, failure: failure.message }
    if (ready === undefined) return { runtime: 'none', detail: isLoading ? 'being loaded' : 'loaded when it is first needed', ...counts }
    const fasterBy = ready.lacksNative ? { fasterBy: 'npm install onnxruntime-node' } : {}
    const passedOver =
      ready.passedOver === undefined ? {} : { failure: `onnxruntime-node is installed but cannot be used: ${ready.passedOver}` }
    return { runtime: ready.runtime, detail: ready.detail, ...counts, ...fasterBy, ...passedOver }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

function cancelled(signal: AbortSignal): Cancelled {
  return new Cancelled({ operation: 'embed' }, { cause: signal.reason })
}
