import { once } from 'node:events'
import { Server } from 'node:http'
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net'
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

/** The looks after which a connection without a request is ended, one that has sent a part of a head too. */
const looksForHead = 10

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
  const busy = busySockets(server)
  server.on('request', (incoming, outgoing) => boundRest(incoming, outgoing, { ms: restMs, bytes: restBytes }))
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new InvalidConfiguration({ setting: 'port', reason: `the address ${host}:${port} cannot be used (${codeOf(cause)})` }, { cause })
  }
  return { server, url: urlOf(server.address()), close: (graceMs) => closed(server, busy, graceMs) }
}

function codeOf(cause: unknown): string {
  return String(Reflect.get(Object(cause), 'code') ?? 'unknown')
}

function urlOf(address: string | AddressInfo | null): string {
  if (address === null || typeof address === 'string') return String(address)
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

/** Follows a server's connections, each with the number of its requests under way. */
function busySockets(server: Server): ReadonlyMap<Socket, number> {
  const busy = new Map<Socket, number>()
  server.on('connection', (socket) => {
    busy.set(socket, 0)
    socket.once('close', () => busy.delete(socket))
  })
  const count = (socket: Socket, more: number): void => {
    const underWay = busy.get(socket)
    if (underWay !== undefined) busy.set(socket, underWay + more)
  }
  server.on('request', ({ socket }, outgoing) => {
    count(socket, 1)
    outgoing.once('close', () => count(socket, -1))
  })
  return busy
}

/**
 * Ends a server. Node's own `close()` of a server of HTTP would end each idle connection at once, and with it a request
 * that is on its way; and it would wait for a connection that becomes idle later, until its time is up. So connections
 * are looked at again and again. A caller that gets an answer meanwhile is told to close. For Node a connection that has
 * sent nothing yet is none that is idle: it would have the time of a head.
 */
async function closed(server: Server, busy: ReadonlyMap<Socket, number>, graceMs: number): Promise<void> {
  const ended = once(server, 'close')
  // Connections that the system took for this server already are taken from it first.
  await setImmediate()
  TcpServer.prototype.close.call(server)
  // After the sockets were read: a request that has come makes its connection a busy one.
  let looks = 0
  const look = (): void => {
    looks += 1
    server.closeIdleConnections()
    if (looks >= looksForHead) for (const [socket, requests] of busy) if (requests === 0) socket.destroy()
  }
  const looking = setInterval(() => void setImmediate().then(look), idleLookMs)
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await ended
  clearTimeout(timer)
  clearInterval(looking)
  // Ends Node's own look for slow connections too.
  server.close()
}
