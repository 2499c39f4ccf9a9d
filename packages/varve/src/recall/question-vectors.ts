import { LRUCache } from 'lru-cache'
import { ModelFailed } from '../errors/model-failed.ts'
import type { embeddingReads } from '../index/reads.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { Observer } from '../observe/observer.ts'
import type { AskedVector } from './asked-vector.ts'
import { noVectors } from './degraded.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { recallReads } from './reads.ts'
import type { Called } from '../storage/offer.ts'

/** A question's vector, or the reason why there is none. */
export interface QuestionVector {
  readonly vector: AskedVector | undefined
  readonly degraded: readonly string[]
}

/** The reads that questions make. */
export interface QuestionReads extends Pick<Called<typeof recallReads>, 'question'> {
  readonly embeddingsDue: Called<typeof embeddingReads>['due']
}

/** The most vectors of questions that are kept. An agent asks for hits and for a context with the same words. */
const maxKept = 256

/** The longest wait of a question for its vector, once the model is loaded. */
const longestWaitMs = 2_000

/**
 * The longest wait of questions for the model to load, from the begin of its loading; half a second is usual. A command
 * that asks one question gets meaning by it. An agent waits once, in its first seconds. From then on words answer at
 * once until the model is there.
 */
const longestLoadMs = 5_000

/** The share of a call's deadline that its question's vector may take. The rest is for the answer by words. */
const shareOfDeadline = 0.5

/** The pause after a late or failed answer of the model, so that not every question waits in vain. */
const pauseMs = 1_000

/** The longest pause that a provider can ask for. */
const longestPauseMs = 10_000

const silent: QuestionVector = { vector: undefined, degraded: [] }

/** Loading that is under way. */
interface Loading {
  /** By performance.now. */
  readonly until: number
  /** Resolves when the model is loaded; rejects with ModelFailed. */
  readonly done: Promise<void>
}

/** Turns questions into vectors. A model that is loading, late, failed or paused costs meaning, never the answer. */
export class QuestionVectors {
  readonly #model: EmbeddingModel | undefined
  readonly #read: QuestionReads
  readonly #observer: Observer
  readonly #kept = new LRUCache<string, Float32Array>({ max: maxKept })
  #loading: Loading | undefined
  #isClosed = false
  #paused: { readonly until: number; readonly ms: number; readonly reason: string } | undefined

  constructor(model: EmbeddingModel | undefined, read: QuestionReads, observer: Observer) {
    this.#model = model
    this.#read = read
    this.#observer = observer
  }

  /**
   * Begins to load the model, if the store holds vectors or messages that wait for one. For a process that stays: a
   * process that asks nothing need not pay for a model. Does not keep the process alive. The first question reports a
   * failure.
   */
  async prepare(): Promise<void> {
    const model = this.#model
    if (model === undefined) return
    const [held] = await Promise.allSettled([this.#read.embeddingsDue(undefined, '', 0)])
    if (held.status === 'fulfilled' && held.value) this.#load(model)
  }

  /** A question that is still under way is answered by words, and its model's end is no failure to warn of. */
  close(): void {
    this.#isClosed = true
  }

  /** With `deadlineMs`, a vector that takes over half of it is not waited for: words answer in time. */
  async of(partition: PartitionId, query: string, deadlineMs?: number): Promise<QuestionVector> {
    const model = this.#model
    const until = performance.now() + (deadlineMs === undefined ? Number.MAX_SAFE_INTEGER : deadlineMs * shareOfDeadline)
    if (model === undefined || !/[\p{L}\p{N}]/u.test(query)) return silent
    if (this.#paused !== undefined && performance.now() < this.#paused.until) {
      return byWords(`${model.status().name} is paused for ${this.#paused.ms} ms, since ${this.#paused.reason}`)
    }
    try {
      const maker = await model.identity({ priority: 'query' })
      const { text, waiting } = await this.#read.question(partition, query, maker)
      // Nothing has a vector yet: the model need not be loaded for this.
      if (text === undefined) return this.#withoutAny(model, waiting)
      const kept = this.#kept.get(text)
      if (kept !== undefined) return { vector: { maker, vector: kept }, degraded: [] }
      if (!(await this.#isLoaded(model, until))) return byWords(`${maker.name} is loading`)
      const left = until - performance.now()
      const vector = await within(Math.min(longestWaitMs, left), this.#embed(model, text))
      if (vector !== undefined) return { vector: { maker, vector }, degraded: [] }
      // A caller in a hurry says nothing of the model.
      return left < longestWaitMs ? byWords(`${maker.name} gave no vector within half of the deadline`) : this.#late(maker.name)
    } catch (error) {
      if (!(error instanceof ModelFailed)) throw error
      return this.#failed(error)
    }
  }

  /** Answers a question where nothing has a vector. A model that failed for good is the reason, and nothing will have one. */
  #withoutAny(model: EmbeddingModel, waiting: number): QuestionVector {
    const { runtime, failure } = model.status()
    if (runtime === 'none' && failure !== undefined) return this.#tell(failure)
    return waiting > 0 ? { vector: undefined, degraded: [noVectors(waiting, waiting)] } : silent
  }

  #load(model: EmbeddingModel): Loading {
    if (this.#loading !== undefined) return this.#loading
    const loading = { until: performance.now() + longestLoadMs, done: model.load() }
    const over = (): void => {
      this.#loading = undefined
    }
    loading.done.then(over, over)
    this.#loading = loading
    return loading
  }

  /** Tells whether the model can be asked. Waits while it loads, as long as questions may wait. */
  async #isLoaded(model: EmbeddingModel, most: number): Promise<boolean> {
    const { done, until } = this.#load(model)
    return (
      (await within(
        Math.min(until, most) - performance.now(),
        done.then(() => true),
      )) ?? false
    )
  }

  /** Makes a vector and keeps it, even when it comes too late for its question: the same words are often asked again. */
  async #embed(model: EmbeddingModel, text: string): Promise<Float32Array> {
    const [vector] = await model.embed([text], { priority: 'query' })
    if (vector === undefined) throw new ModelFailed({ model: model.status().name, reason: 'it gave no vector', isRetryable: true })
    this.#kept.set(text, vector)
    return vector
  }

  #late(name: string): QuestionVector {
    const reason = `it gave no vector within ${longestWaitMs} ms`
    this.#pause(pauseMs, reason)
    return this.#tell(`${name} is late: ${reason}`)
  }

  #failed(error: ModelFailed): QuestionVector {
    // A failure for good comes at once and may be this question's alone: no pause.
    if (error.isRetryable) this.#pause(Math.min(Math.max(pauseMs, error.retryAfterMs ?? 0), longestPauseMs), `it failed: ${error.reason}`)
    return this.#tell(error.message)
  }

  #pause(ms: number, reason: string): void {
    this.#paused = { until: performance.now() + ms, ms, reason }
  }

  #tell(message: string): QuestionVector {
    if (!this.#isClosed) this.#observer.warn('MODEL_FAILED', message, `model ${message}`)
    return byWords(message)
  }
}

/** Gives the result of a promise, or undefined after a time. Keeps the process alive while it waits. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), Math.max(0, ms))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function byWords(reason: string): QuestionVector {
  return { vector: undefined, degraded: [`words only: ${reason}`] }
}
