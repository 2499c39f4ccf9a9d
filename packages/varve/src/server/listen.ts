import { once } from 'node:events'
import { Server } from 'node:http'
import { type AddressInfo, Server as TcpServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import type { ServerEnv } from './app.ts'
import { boundRest, restBounds } from './rest-of-body.ts'

/** Bounds of connections. Times are milliseconds. */
export const connectionBounds = {
  /** For the headers of a request, from its first byte. */
  headersMs: 10_000,
  /** For a whole request: an import of 1 GiB takes minutes. */
  requestMs: 600_000,
  /** For the next request on an open connection. */
  idleMs: 30_000,
  headerBytes: 16_384,
  connections: 10_000,
  /** For what comes of a body after its request was answered. */
  restMs: restBounds.ms,
  restBytes: restBounds.bytes,
} as const

/** The time between looks for idle connections while the server closes: milliseconds. */
const idleLookMs = 100

interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly bounds?: { readonly [Name in keyof typeof connectionBounds]: number }
}

export interface Listening {
  readonly server: Server
  readonly url: string
  /** Takes no more connections, and resolves when the requests under way are answered, or after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Serves an application at an address. */
export async function listenAt(app: Hono<ServerEnv>, { host, port, bounds = connectionBounds }: ListenOptions): Promise<Listening> {
  const { headersMs, requestMs, idleMs, headerBytes, connections, restMs, restBytes } = bounds
  const serverOptions = {
    ...{ headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: idleMs, maxHeaderSize: headerBytes },
    // Node looks for slow connections each 30 s, unless it is told.
    connectionsCheckingInterval: headersMs / 2,
  }
  // The adaptor's own bounds of what follows an answer leave out GET, and give a slow client half a second.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false, autoCleanupIncoming: false, serverOptions })
  if (!(server instanceof Server)) throw new TypeError('without options of TLS it is a server of HTTP/1')
  server.maxConnections = connections
  server.on('request', (incoming, outgoing) => boundRest(incoming, outgoing, { ms: restMs, bytes: restBytes }))
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new InvalidConfiguration({ setting: 'port', reason: `the address ${host}:${port} cannot be used (${codeOf(cause)})` }, { cause })
  }
  return { server, url: urlOf(server.address()), close: (graceMs) => closed(server, graceMs) }
}

function codeOf(cause: unknown): string {
  return String(Reflect.get(Object(cause), 'code') ?? 'unknown')
}

function urlOf(address: string | AddressInfo | null): string {
  if (address === null || typeof address === 'string') return String(address)
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

/**
 * Ends a server. Node's own `close()` of a server of HTTP would end each idle connection at once, and with it a request
 * that is on its way; and it would wait for a connection that becomes idle later, until its time is up. So connections
 * are looked at again and again. A caller that gets an answer meanwhile is told to close.
 */
async function closed(server: Server, graceMs: number): Promise<void> {
  const ended = once(server, 'close')
  // Connections that the system took for this server already are taken from it first.
  await setImmediate()
  TcpServer.prototype.close.call(server)
  // After the sockets were read: a request that has come makes its connection a busy one.
  const looking = setInterval(() => void setImmediate().then(() => server.closeIdleConnections()), idleLookMs)
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await ended
  clearTimeout(timer)
  clearInterval(looking)
  // Ends Node's own look for slow connections too.
  server.close()
}
