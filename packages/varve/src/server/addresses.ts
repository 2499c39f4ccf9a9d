import { Forbidden } from '../errors/forbidden.ts'
import { InvalidRequest } from '../errors/invalid-request.ts'
import type { VarveError } from '../errors/varve-error.ts'

/** The addresses by which a server may be called. */
export interface Addresses {
  /** Names of hosts that a request may carry, without a port; undefined for any. */
  readonly hosts: ReadonlySet<string> | undefined
  /** Origins of pages that may call it, such as `https://app.example`. */
  readonly origins: ReadonlySet<string>
}

/** The names of this machine for itself. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/**
 * Tells why to refuse a request: it was sent to another name, or by a page of another site. A page can make its own name mean this
 * machine, but cannot change the Host and Origin that its browser sends.
 */
export function addressRefusal({ headers }: Request, { hosts, origins }: Addresses): VarveError | undefined {
  const host = headers.get('host') ?? ''
  if (hosts !== undefined && !hosts.has(nameOf(host)))
    return new InvalidRequest({ status: 421, reason: 'its Host is no name of this server; --allow-host adds one' })
  const origin = headers.get('origin')
  const isAllowed = origin === null ? headers.get('sec-fetch-site') !== 'cross-site' : isKnown(origin, host, origins)
  return isAllowed ? undefined : new Forbidden({ reason: 'it comes from a page of another site; --allow-origin adds one' })
}

function isKnown(origin: string, host: string, origins: ReadonlySet<string>): boolean {
  return origins.has(origin) || origin === `http://${host}` || origin === `https://${host}`
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

const exposed = 'ETag, Retry-After, Varve-Request-Id, Varve-Turn, Varve-Degraded'
const taken =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name'
const dayInSeconds = 86_400

/** Makes the headers by which a browser lets a page of another allowed site read the answer. */
export function corsHeaders({ headers }: Request, { origins }: Addresses): Readonly<Record<string, string>> {
  const origin = headers.get('origin')
  if (origin === null || !origins.has(origin)) return {}
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'Origin' }
}

/** Makes the answer to a browser that asks whether a page may call. */
export function preflightHeaders(request: Request, addresses: Addresses): Readonly<Record<string, string>> {
  return {
    ...corsHeaders(request, addresses),
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': `${taken}, Varve-Key, Varve-User, Varve-Project, Varve-Session, Varve-Memory, Varve-Max-Tokens`,
    'access-control-max-age': String(dayInSeconds),
  }
}
