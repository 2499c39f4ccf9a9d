import { reasonToRefuse } from '../../scope/name.ts'
import { decodedHeader } from '../doorkeeper.ts'
import type { ProxyScope } from './proxy-means.ts'
import type { ProxyLimits } from './proxy-options.ts'

/** What the headers of a call ask of the proxy. */
export interface CallSettings {
  readonly reads: boolean
  readonly writes: boolean
  readonly maxTokens: number
  readonly session: string | undefined
  readonly idempotencyKey: string | undefined
  /** True when the client says that it sends the request again. */
  readonly isRetry: boolean
}

const modes = ['on', 'off', 'read', 'write']

/** Reads the headers of a call. A text is the reason why they are refused. */
export function callSettings(headers: Headers, { may }: ProxyScope, limits: ProxyLimits): CallSettings | string {
  const mode = headers.get('varve-memory') ?? 'on'
  if (!modes.includes(mode)) return `Varve-Memory must be one of ${modes.join(', ')}`
  const maxTokens = headers.get('varve-max-tokens') ?? String(limits.maxTokens)
  if (!/^[1-9]\d{0,6}$/.test(maxTokens)) return 'Varve-Max-Tokens must be a whole number from 1'
  const named = headers.get('varve-session')
  const session = named === null ? undefined : decodedHeader(named)
  const reason = session === undefined ? undefined : reasonToRefuse(session)
  if (reason !== undefined) return `Varve-Session ${reason}`
  return {
    reads: may.read && (mode === 'on' || mode === 'read'),
    writes: may.write && (mode === 'on' || mode === 'write'),
    maxTokens: Math.min(Number(maxTokens), limits.mostTokens),
    session,
    idempotencyKey: headers.get('idempotency-key') ?? undefined,
    isRetry: /^[1-9]/.test(headers.get('x-stainless-retry-count') ?? ''),
  }
}
