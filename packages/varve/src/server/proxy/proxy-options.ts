/** The companies whose formats the proxy speaks. */
export type Provider = 'openai' | 'anthropic'

/** A server that answers the calls which the proxy passes on. */
export interface UpstreamServer {
  /** Its base address. `/v1` is added when it has no path. */
  readonly url: string
  /** The provider's own key. It is sent when the caller brings none. */
  readonly key?: string
}

/** The servers to which calls are passed on, by whose format they have. */
export type Upstreams = { readonly [Name in Provider]?: UpstreamServer | undefined }

/** Bounds of calls that are passed on. Times are milliseconds. */
export interface ProxyLimits {
  /** The largest request. A larger one is refused with 413 before it is read. */
  readonly maxBodyBytes: number
  /** The tokens of a context where `Varve-Max-Tokens` does not say, and the most that the header may ask for. */
  readonly maxTokens: number
  readonly mostTokens: number
  /** The longest wait for memory. After it the call goes on without. */
  readonly deadlineMs: number
  /** The longest silence of an upstream: until it answers, and between two pieces of its answer. */
  readonly upstreamTimeoutMs: number
  /** The longest wait until a turn is stored, after its reply. */
  readonly captureDeadlineMs: number
}

export const usualProxyLimits: ProxyLimits = {
  maxBodyBytes: 32 * 1024 * 1024,
  maxTokens: 2_000,
  mostTokens: 32_000,
  deadlineMs: 300,
  upstreamTimeoutMs: 600_000,
  captureDeadlineMs: 30_000,
}
