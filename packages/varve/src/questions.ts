import { LRUCache } from 'lru-cache'
import { ModelFailed } from './errors/model-failed.ts'
import type { EmbeddingModel } from './models/embedding-model.ts'
import type { Observer } from './observe/observer.ts'
import type { AskedVector } from './recall/asked-vector.ts'
import { noVectors } from './recall/degraded.ts'
import type { PartitionId } from './scope/partition.ts'
import type { Engine } from './engine/engine.ts'

/** A question's vector, or why there is none. */
export interface Asked {
  readonly vector: AskedVector | undefined
  readonly degraded: readonly string[]
}

/** Vectors of questions that are kept: an agent asks for hits and for a context with the same words. */
const maxKept = 256

/** How long a question waits for its vector: loading the model takes half a second, once. */
const longestWaitMs = 2_000

/** How long the model is left alone after it failed, so that not every question waits for it in vain. */
const pauseAfterFailureMs = 10_000

const silent: Asked = { vector: undefined, degraded: [] }

/** Turns questions into vectors. A model that fails or is late costs meaning, never the answer. */
export class Questions {
  readonly #model: EmbeddingModel | undefined
  readonly #engine: Pick<Engine, 'read'>
  readonly #observer: Observer
  readonly #kept = new LRUCache<string, Float32Array>({ max: maxKept })
  #failed: { readonly until: number; readonly reason: string } | undefined

  constructor(model: EmbeddingModel | undefined, engine: Pick<Engine, 'read'>, observer: Observer) {
    this.#model = model
    this.#engine = engine
    this.#observer = observer
  }

  async of(partition: PartitionId, query: string): Promise<Asked> {
    if (this.#model === undefined || !/[\p{L}\p{N}]/u.test(query)) return silent
    if (this.#failed !== undefined && performance.now() < this.#failed.until) return withoutMeaning(this.#failed.reason)
    try {
      const maker = await this.#model.identity({ priority: 'query' })
      const { text, waiting } = await this.#engine.read('recall.question', partition, query, maker)
      // Nothing has a vector yet: the model need not be loaded for this.
      if (text === undefined) return waiting > 0 ? { vector: undefined, degraded: [noVectors(waiting, waiting)] } : silent
      return { vector: { maker, vector: this.#kept.get(text) ?? (await this.#embed(this.#model, text)) }, degraded: [] }
    } catch (error) {
      if (!(error instanceof ModelFailed)) throw error
      // What is refused for good is refused at once, and may be this question alone.
      if (error.isRetryable) this.#failed = { until: performance.now() + pauseAfterFailureMs, reason: error.message }
      this.#observer.warn(error.code, error.message, `model ${error.message}`)
      return withoutMeaning(error.message)
    }
  }

  async #embed(model: EmbeddingModel, text: string): Promise<Float32Array> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const reason = `it gave no vector for a question within ${longestWaitMs} ms`
    const timer = setTimeout(() => reject(new ModelFailed({ model: model.status().name, reason, isRetryable: true })), longestWaitMs)
    try {
      const [vector] = await Promise.race([model.embed([text], { priority: 'query' }), late])
      if (vector === undefined) throw new ModelFailed({ model: model.status().name, reason: 'it gave no vector', isRetryable: true })
      this.#kept.set(text, vector)
      return vector
    } finally {
      clearTimeout(timer)
    }
  }
}

function withoutMeaning(reason: string): Asked {
  return { vector: undefined, degraded: [`words only: ${reason}`] }
}
