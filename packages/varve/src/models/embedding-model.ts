/** Who makes the vectors. It is stored with every one of them: vectors of two identities are never compared. */
export interface EmbeddingModelIdentity {
  readonly name: string
  /** Components of a vector. */
  readonly dimension: number
  /** How the weights are rounded, where that is known: it changes the vectors. `none` for a provider's model. */
  readonly quantisation: string
}

/** What runs a model, for `doctor` and `status`. */
export interface EmbeddingStatus {
  /** `none`: nothing is loaded, since it was not needed yet or because of `failure`. */
  readonly runtime: 'wasm' | 'native' | 'provider' | 'none'
  readonly name: string
  readonly detail: string
  /** Threads or connections that work at the same time now. */
  readonly threads: number
  /** Tokens that were embedded so far, as far as the model counts them. */
  readonly tokens: number
  /** Time that the model worked for them, over all threads. */
  readonly ms: number
  /** What to run to make it faster. */
  readonly fasterBy?: string
  /** Why it does not work, or why it does not run on what was asked for. */
  readonly failure?: string
}

export interface EmbedOptions {
  /** Ends the call with `Cancelled`; what waits is dropped at once. */
  readonly signal?: AbortSignal
  /** A `query` goes before waiting `background` work. Default `background`. */
  readonly priority?: 'query' | 'background'
  /** Whether the process stays alive until this call has ended, were it the last thing to do. Default true. */
  readonly holdsProcess?: boolean
}

/** The bounds of one `embed` call. */
export interface EmbeddingLimits {
  /** Texts; more are refused with `InvalidOption`. */
  readonly texts: number
  /** Tokens over all texts that make a good batch: more is accepted, and takes longer. */
  readonly tokens: number
  /** Tokens of one text that the model sees. What is beyond is not in its vector, or is refused by a provider. */
  readonly textTokens: number
}

/**
 * Turns texts into vectors. What cannot be done rejects with `ModelFailed`, whose `isRetryable` and `retryAfterMs` say
 * whether and when another try makes sense: an adapter makes one attempt and leaves repeating to upkeep.
 */
export interface EmbeddingModel {
  /** May load the model or ask the provider, once, within what `options` say; a failure is asked again the next time. */
  identity(options?: EmbedOptions): Promise<EmbeddingModelIdentity>
  /**
   * Loads what the model runs on, where that is not another's: resolves when it can embed, at once when it can already, and rejects
   * with ModelFailed when it cannot. `embed` loads it as well. Does not keep the process alive.
   */
  load(): Promise<void>
  /** A vector of length 1 for each text, in the order of the texts: all of them, or it rejects. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>
  status(): EmbeddingStatus
  /** Looks at what it is made from, byte for byte, where that is files of ours. Rejects with ModelFailed. */
  verify(): Promise<void>
  readonly limits: EmbeddingLimits
  /** Rejects what waits and frees what is held. Later calls reject; a second close does nothing. */
  close(): Promise<void>
}
