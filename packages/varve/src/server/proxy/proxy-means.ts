import type { UserMemory } from '../../memory/user-memory.ts'
import type { ErasureWatch } from '../erasure-watch.ts'

/** The companies whose formats the proxy speaks. */
export type Provider = 'openai' | 'anthropic'

/** Whose memory a request reads and writes, and who sent it. */
export interface ProxyScope {
  readonly project: string
  /** Absent for the anonymous user. */
  readonly user?: string
  /** The user's memory. A server whose keys limit origins gives a memory whose `append` keeps to them. */
  readonly memory: Pick<UserMemory, 'context' | 'append'>
  readonly may: { readonly read: boolean; readonly write: boolean }
  /** Names the key of the request, and is no secret: a turn is shown to the key that made it. */
  readonly keyId: string
}

/** A server that answers the calls which the proxy passes on. */
export interface UpstreamServer {
  /** Its base address. `/v1` is added when it has no path. */
  readonly url: string
  /** The provider's own key. It is sent when the caller brings none. */
  readonly key?: string
}

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

/** The parts of a server that the proxy stands on. */
export interface ProxyMeans {
  /** Tells whose memory a request may use, or gives the answer that refuses it. It is asked before a body is read. */
  scopeOf(request: Request): ProxyScope | Response | Promise<ProxyScope | Response>
  readonly upstreams: { readonly [Name in Provider]?: UpstreamServer | undefined }
  /** Tells whether a text has the form of a key of Varve. Such a text never goes upstream. */
  isVarveKey?(token: string): boolean
  /** Tells of erasures, after which nothing is held of a project that was read before. */
  readonly erasures: ErasureWatch
  readonly limits?: Partial<ProxyLimits>
  /** The present time in UTC milliseconds. */
  now(): number
}
