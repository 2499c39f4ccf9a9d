import { z } from 'zod'
import type { EmbedOptions } from '../embedding-model.ts'
import { unitVectors } from '../unit-vectors.ts'
import type { AiSdkEmbeddingModel } from './embedding-model-shape.ts'
import type { CheckedOptions } from './embedding-options.ts'
import { Lane } from './lane.ts'
import { withDeadline } from './with-deadline.ts'

type Priority = NonNullable<EmbedOptions['priority']>

const answerShape = z.object({ embeddings: z.unknown(), usage: z.object({ tokens: z.number() }).optional().catch(undefined) })

/** The requests to one provider: cut to its limits, in turn, each with its deadline. Keeps their counts. */
export class Requests {
  readonly #name: string
  readonly #model: AiSdkEmbeddingModel
  readonly #options: CheckedOptions
  readonly #background: Lane
  /** A lane of its own, so that a query does not wait for a large request. The same lane when the model takes one call at a time. */
  #queries: Lane | undefined
  dimension: number | undefined
  tokens = 0
  ms = 0

  constructor(name: string, model: AiSdkEmbeddingModel, options: CheckedOptions) {
    this.#name = name
    this.#model = model
    this.#options = options
    this.#background = new Lane(name)
  }

  /** The number of running requests. */
  get underWay(): number {
    return [...new Set([this.#background, this.#queries])].filter((lane) => lane?.isBusy === true).length
  }

  /** A query's deadline includes its wait; in the background each request has its own. */
  embed(texts: readonly string[], priority: Priority, signal: AbortSignal): Promise<Float32Array[]> {
    const { queryDeadlineMs: deadlineMs } = this.#options
    if (priority === 'background') return this.#all(texts, priority, signal)
    return withDeadline({ model: this.#name, operation: 'embed', deadlineMs, signal }, (until) => this.#all(texts, priority, until))
  }

  async #all(texts: readonly string[], priority: Priority, signal: AbortSignal): Promise<Float32Array[]> {
    const lane = priority === 'query' ? await this.#queryLane() : this.#background
    const most = await this.#mostTexts()
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += most) {
      const values = texts.slice(from, from + most)
      vectors.push(...(await lane.run(priority, signal, () => this.#request(values, priority, signal))))
    }
    return vectors
  }

  async #request(values: string[], priority: Priority, signal: AbortSignal): Promise<Float32Array[]> {
    const { queryDeadlineMs, backgroundDeadlineMs } = this.#options
    const deadlineMs = priority === 'query' ? queryDeadlineMs : backgroundDeadlineMs
    const start = performance.now()
    try {
      const answer = await withDeadline({ model: this.#name, operation: 'embed', deadlineMs, signal }, async (abortSignal) =>
        this.#model.doEmbed({ values, abortSignal }),
      )
      const { embeddings, usage } = answerShape.safeParse(answer).data ?? {}
      const vectors = unitVectors(embeddings, { model: this.#name, texts: values.length, dimension: this.dimension })
      this.dimension ??= vectors[0]?.length
      this.tokens += usage?.tokens ?? 0
      return vectors
    } finally {
      this.ms += performance.now() - start
    }
  }

  async #queryLane(): Promise<Lane> {
    const isOneAtATime = (await this.#model.supportsParallelCalls) === false
    this.#queries ??= isOneAtATime ? this.#background : new Lane(this.#name)
    return this.#queries
  }

  async #mostTexts(): Promise<number> {
    const most = await this.#model.maxEmbeddingsPerCall
    const allowed = typeof most === 'number' && most >= 1 ? Math.floor(most) : Infinity
    return Math.min(allowed, this.#options.requestTexts)
  }
}
