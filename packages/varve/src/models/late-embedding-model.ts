import type { EmbeddingLimits, EmbeddingModel, EmbeddingModelIdentity, EmbeddingStatus, EmbedOptions } from './embedding-model.ts'

/** The facts about a model that are known before its code is loaded. */
export interface KnownModel {
  readonly identity: EmbeddingModelIdentity
  readonly limits: EmbeddingLimits
}

/** A model whose code is loaded when it is first needed: a command that lists sessions needs none of its 60 ms. */
export class LateEmbeddingModel implements EmbeddingModel {
  readonly #known: KnownModel
  readonly #make: () => Promise<EmbeddingModel>
  #making: Promise<EmbeddingModel> | undefined
  #made: EmbeddingModel | undefined
  #closed = false

  constructor(known: KnownModel, make: () => Promise<EmbeddingModel>) {
    this.#known = known
    this.#make = make
  }

  get limits(): EmbeddingLimits {
    return this.#known.limits
  }

  async identity(): Promise<EmbeddingModelIdentity> {
    return this.#known.identity
  }

  status(): EmbeddingStatus {
    return (
      this.#made?.status() ?? {
        runtime: 'none',
        name: this.#known.identity.name,
        detail: 'loaded when it is first needed',
        threads: 0,
        tokens: 0,
        ms: 0,
      }
    )
  }

  async load(): Promise<void> {
    await (await this.#model()).load()
  }

  async verify(): Promise<void> {
    await (await this.#model()).verify()
  }

  async embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]> {
    return (await this.#model()).embed(texts, options)
  }

  async close(): Promise<void> {
    this.#closed = true
    // Without a model there is nothing to close.
    const [model] = await Promise.allSettled([this.#making])
    if (model?.status === 'fulfilled') await model.value?.close()
  }

  async #model(): Promise<EmbeddingModel> {
    this.#making ??= this.#make()
    const model = await this.#making
    this.#made = model
    // It was closed meanwhile: a closed model refuses later calls.
    if (this.#closed) await model.close()
    return model
  }
}
