/** The maker of vectors. It is stored with each of them: vectors of two identities are never compared. */
export interface EmbeddingModelIdentity {
  readonly name: string
  /** The number of components of a vector. */
  readonly dimension: number
  /** The rounding of the weights, where it is known: it changes the vectors. `none` for a provider's model. */
  readonly quantisation: string
}

/** The state of a model, for `doctor` and `status`. */
export interface EmbeddingStatus {
  /** `none`: nothing is loaded, because nothing needed it yet or because of `failure`. */
  readonly runtime: 'wasm' | 'native' | 'provider' | 'none'
  readonly name: string
  readonly detail: string
  /** Threads or connections that are working now. */
  readonly threads: number
  /** Tokens embedded so far, as far as the model counts them. */
  readonly tokens: number
  /** Working time for these tokens over all threads: milliseconds. */
  readonly ms: number
  /** A command to run that makes it faster. */
  readonly fasterBy?: string
  /** The reason why it does not work, or why it does not run on the requested runtime. */
  readonly failure?: string
}

export interface EmbedOptions {
  /** Ends the call with `Cancelled`; its waiting texts are dropped at once. */
  readonly signal?: AbortSignal
  /** A `query` goes before waiting `background` work. Default `background`. */
  readonly priority?: 'query' | 'background'
  /** True keeps the process alive until this call has ended. Default true. */
  readonly holdsProcess?: boolean
}

/** The bounds of one `embed` call. */
export interface EmbeddingLimits {
  /** The most texts; more are refused with `InvalidOption`. */
  readonly texts: number
  /** Tokens of a good batch over all texts: more are accepted, and take longer. */
  readonly tokens: number
  /** Tokens of one text that the model reads. Text beyond them is not in its vector, or a provider refuses it. */
  readonly textTokens: number
}

/**
 * Turns texts into vectors. Failures reject with `ModelFailed`: its `isRetryable` and `retryAfterMs` say whether and
 * when another attempt makes sense. An adapter makes one attempt; upkeep repeats.
 */
export interface EmbeddingModel {
  /**
   * Returns the identity. It may load the model or ask the provider, once, within the bounds of `options`. After a
   * failure the next call asks again.
   */
  identity(options?: EmbedOptions): Promise<EmbeddingModelIdentity>
  /**
   * Loads a model of our own, as `embed` does too. Resolves when it can embed, at once if it is loaded. Rejects with
   * ModelFailed when it cannot. Does not keep the process alive.
   */
  load(): Promise<void>
  /** Returns a vector of length 1 for each text, in the order of the texts. Rejects unless it has all of them. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>
  status(): EmbeddingStatus
  /** Checks the model's files byte for byte, where they are ours. Rejects with ModelFailed. */
  verify(): Promise<void>
  readonly limits: EmbeddingLimits
  /** Rejects waiting calls and frees memory and threads. Later calls reject; a second close does nothing. */
  close(): Promise<void>
}
