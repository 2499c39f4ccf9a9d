import { once } from 'node:events'
import { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import type { ServerEnv } from './app.ts'

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
} as const

export interface Listening {
  readonly server: Server
  readonly url: string
  /** Takes no more connections, and resolves when the requests under way are answered, or after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Serves an application at an address. */
export async function listenAt(app: Hono<ServerEnv>, { host, port }: { readonly host: string; readonly port: number }): Promise<Listening> {
  const { headersMs, requestMs, idleMs, headerBytes, connections } = connectionBounds
  const serverOptions = { headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: idleMs, maxHeaderSize: headerBytes }
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false, serverOptions })
  if (!(server instanceof Server)) throw new TypeError('without options of TLS it is a server of HTTP/1')
  server.maxConnections = connections
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

/** The pause between two looks for idle connections, while a server closes. */
const closesIdleEveryMs = 50

async function closed(server: Server, graceMs: number): Promise<void> {
  const ended = once(server, 'close')
  server.close()
  // Connections whose answers end only now fall idle later: each would keep the server until its own time is over.
  const idle = setInterval(() => server.closeIdleConnections(), closesIdleEveryMs)
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await ended
  clearInterval(idle)
  clearTimeout(timer)
}
