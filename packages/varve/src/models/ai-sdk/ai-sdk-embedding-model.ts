import type { Clock } from '../../clock/clock.ts'
import { Cancelled } from '../../errors/cancelled.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { ModelFailed } from '../../errors/model-failed.ts'
import type { EmbeddingModel, EmbeddingModelIdentity, EmbeddingStatus, EmbedOptions } from '../embedding-model.ts'
import { classifyFailure } from './classify-failure.ts'
import { type AiSdkEmbeddingModel, checkedModel } from './embedding-model-shape.ts'
import { type AiSdkEmbeddingOptions, checkedOptions } from './embedding-options.ts'
import { Requests } from './requests.ts'

/** The smaller models served today read 512 tokens of a text. */
const limits = { texts: 256, tokens: 8192, textTokens: 512 }

/** The text that is embedded to learn the dimension. */
const probe = 'varve'

/**
 * Makes vectors with any embedding model of the AI SDK. Each request is sent once: nothing is tried again here.
 *
 * @example const ollama = createOpenAICompatible({ name: 'ollama', baseURL: 'http://localhost:11434/v1' })
 * aiSdkEmbeddingModel(ollama.embeddingModel('nomic-embed-text'))
 * @throws InvalidConfiguration for anything but such a model, even a string that names one; InvalidOption for a bad
 * option.
 */
export function aiSdkEmbeddingModel(model: AiSdkEmbeddingModel, options: AiSdkEmbeddingOptions = {}): EmbeddingModel {
  const checked = checkedOptions(options)
  const object = checkedModel(model)
  const name = `${object.provider}:${object.modelId}`
  const detail = `${object.provider}, AI SDK specification ${object.specificationVersion}`
  return new AiSdkEmbedder(name, detail, new Requests(name, object, checked), checked.clock)
}

class AiSdkEmbedder implements EmbeddingModel {
  readonly limits = limits
  readonly #name: string
  readonly #detail: string
  readonly #requests: Requests
  readonly #clock: Clock
  readonly #closing = new AbortController()
  #probing: Promise<unknown> | undefined
  #failure: string | undefined

  constructor(name: string, detail: string, requests: Requests, clock: Clock) {
    this.#name = name
    this.#detail = detail
    this.#requests = requests
    this.#clock = clock
  }

  /** Embeds one short text if nothing was embedded yet; calls in the meantime wait for the same answer. */
  async identity(options?: EmbedOptions): Promise<EmbeddingModelIdentity> {
    if (this.#requests.dimension === undefined) {
      this.#probing ??= this.embed([probe], options).finally(() => (this.#probing = undefined))
      await this.#probing
    }
    return { name: this.#name, dimension: this.#requests.dimension ?? 0, quantisation: 'none' }
  }

  /** A provider has loaded its model, or loads it when asked: that time counts as the request's own. */
  load(): Promise<void> {
    return Promise.resolve()
  }

  async embed(texts: readonly string[], { signal, priority = 'background' }: EmbedOptions = {}): Promise<readonly Float32Array[]> {
    if (texts.length > limits.texts)
      throw new InvalidOption({ option: 'texts', received: `${texts.length} texts`, expected: `at most ${limits.texts} texts` })
    if (signal?.aborted === true) throw new Cancelled({ operation: 'embed' }, { cause: signal.reason })
    if (this.#closing.signal.aborted) throw this.#closed()
    if (texts.length === 0) return []
    try {
      const either = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal])
      const vectors = await this.#requests.embed(texts, priority, either)
      this.#failure = undefined
      return vectors
    } catch (error) {
      throw this.#explain(error, signal)
    }
  }

  status(): EmbeddingStatus {
    const { underWay, tokens, ms } = this.#requests
    const failure = this.#failure === undefined ? {} : { failure: this.#failure }
    return { runtime: 'provider', name: this.#name, detail: this.#detail, threads: underWay, tokens, ms: Math.round(ms), ...failure }
  }

  /** A provider's files are its own: only a call shows whether they are sound. */
  async verify(): Promise<void> {
    if (this.#closing.signal.aborted) throw this.#closed()
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  #explain(error: unknown, caller: AbortSignal | undefined): Error {
    if (caller?.aborted === true) return new Cancelled({ operation: 'embed' }, { cause: caller.reason })
    if (this.#closing.signal.aborted) return this.#closed()
    const failure = classifyFailure(error, this.#name, this.#clock)
    this.#failure = failure.message
    return failure
  }

  #closed(): ModelFailed {
    return new ModelFailed({ model: this.#name, reason: 'it is closed', isRetryable: false })
  }
}
