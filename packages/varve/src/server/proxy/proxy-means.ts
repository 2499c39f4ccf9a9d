import type { UserMemory } from '../../memory/user-memory.ts'
import type { ErasureWatch } from '../erasure-watch.ts'
import type { ProxyLimits, Upstreams } from './proxy-options.ts'

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

/** The parts of a server that the proxy stands on. */
export interface ProxyMeans {
  /** Tells whose memory a request may use, or gives the answer that refuses it. It is asked before a body is read. */
  scopeOf(request: Request): ProxyScope | Response | Promise<ProxyScope | Response>
  readonly upstreams: Upstreams
  /** Tells whether a text has the form of a key of Varve. Such a text never goes upstream. */
  isVarveKey?(token: string): boolean
  /** Tells of erasures, after which nothing is held of a project that was read before. */
  readonly erasures: ErasureWatch
  readonly limits?: Partial<ProxyLimits>
  /** The present time in UTC milliseconds. */
  now(): number
}
