import type { Logger } from '../observe/logger.ts'
import { invalidConfiguration } from './remote-error.ts'

/** Options of `connect`. */
export interface ConnectOptions {
  /** The address of the server, such as `https://memory.example`. A path before `/v1` is kept. */
  readonly url: string
  /** The key that `varve keys create` showed. */
  readonly key?: string
  /** Default: the platform's own. */
  readonly fetch?: typeof globalThis.fetch
  /** Headers of every request, such as those that a gateway asks for. */
  readonly headers?: Readonly<Record<string, string>>
  /** How often a request is sent again when the server is away or busy. Default 3; 0 for never. */
  readonly retries?: number
  /**
   * The longest time of a read that names no `deadlineMs`, and of the attempts of a write: milliseconds. Default 30,000, and
   * 5,000 for the calls that fail open, since an agent waits for them.
   */
  readonly timeoutMs?: number
  /** Told once a code that a call failed open. Default: the console. */
  readonly logger?: Logger
}

/** A server, and how to ask it. */
export interface ServerConnection {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly retries: number
  readonly timeoutMs: number
  /** The longest time of a call that fails open. */
  readonly questionMs: number
  readonly closing: AbortController
  /** Calls under way. */
  readonly open: Set<Promise<unknown>>
  /** The last append of each session: the next one of it is sent once that one is answered. */
  readonly appends: Map<string, Promise<unknown>>
  fetch(address: string, request: RequestInit): Promise<Response>
  warn(code: string, message: string): void
}

const usualTimeoutMs = 30_000
const usualQuestionMs = 5_000
const longestTimeoutMs = 2_147_483_647

const consoleLogger: Pick<Logger, 'warn'> = { warn: (message) => globalThis.console.warn(`varve: ${message}`) }

/** Checks the options of a connection. InvalidConfiguration names a wrong one. */
export function connectionOf(options: ConnectOptions): ServerConnection {
  const { url, key, headers, retries = 3, timeoutMs = usualTimeoutMs, fetch: own, logger = consoleLogger } = options
  const { protocol, username, origin, pathname }: Partial<URL> = URL.canParse(url) ? new URL(url) : {}
  // A user in an address is no key of Varve, and `fetch` refuses it.
  if (!/^https?:$/.test(String(protocol)) || username !== '')
    throw invalidConfiguration('url', 'must be an address of http or https, without a user')
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(String(key))) throw invalidConfiguration('key', 'must be a key as it was shown')
  if (!Number.isInteger(retries) || retries < 0) throw invalidConfiguration('retries', 'must be 0 or a whole number above')
  if (!(timeoutMs >= 1 && timeoutMs <= longestTimeoutMs)) throw invalidConfiguration('timeoutMs', 'must be 1 or more milliseconds')
  const warned = new Set<string>()
  return {
    url: origin + String(pathname).replace(/\/+$/, ''),
    headers: { ...headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    retries,
    timeoutMs,
    questionMs: options.timeoutMs ?? usualQuestionMs,
    closing: new AbortController(),
    open: new Set(),
    appends: new Map(),
    fetch: (address, request) => (own ?? fetch)(address, request),
    warn: (code, message) => {
      if (!warned.has(code)) logger.warn(`${code}: ${message}`)
      warned.add(code)
    },
  }
}
