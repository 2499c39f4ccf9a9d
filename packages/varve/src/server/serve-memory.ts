import type { Context, Hono } from 'hono'
import type { Memory } from '../memory/memory.ts'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import { keyPrefix } from '../keys/key-text.ts'
import type { MemoryEvent } from '../observe/events.ts'
import { type Addresses, isLoopback, loopbackHosts } from './addresses.ts'
import { type AppMeans, serverApp, type ServerEnv } from './app.ts'
import { KeyDoorkeeper } from './doorkeeper.ts'
import { addEventsRoutes } from './events-routes.ts'
import { EventFeeds } from './events/event-feeds.ts'
import { addDocsRoutes } from './docs-routes.ts'
import { ErasureWatch } from './erasure-watch.ts'
import { IdempotentReplies } from './idempotent-replies.ts'
import type { RateLimitOptions } from './limits/rate-limit-options.ts'
import { listenAt } from './listen.ts'
import { addMcpRoutes } from './mcp-routes.ts'
import { Metrics } from './metrics.ts'
import { addOperateRoutes } from './operate-routes.ts'
import { proxyApp } from './proxy/proxy-app.ts'
import type { ProxyLimits, Upstreams } from './proxy/proxy-options.ts'
import { proxyScopeOf } from './proxy-scope.ts'
import { inPlace } from './readiness.ts'
import { type AnsweredRequest, type LogLevel, type LogSink, requestLog } from './request-log.ts'

/** Options of a server. */
export interface ServerOptions {
  /** The address to listen at. Default 127.0.0.1: this machine alone. */
  readonly host?: string
  /** Default 8737; 0 takes a free one. */
  readonly port?: number
  /** Names of hosts by which it may be called, beside those of this machine. */
  readonly allowHosts?: readonly string[]
  /** Origins of pages that may call it, such as `https://app.example`. */
  readonly allowOrigins?: readonly string[]
  /** The file of the store. The server is not ready any more once another file has its name. */
  readonly file?: string
  /** The most bytes of a body. Default 16 MiB. */
  readonly maxBodyBytes?: number
  /** The most streams of events that one key may have open. Default 1,000. */
  readonly maxStreams?: number
  /** The requests that are logged. Default `errors`. */
  readonly log?: LogLevel
  readonly logSink?: LogSink
  /** Bounds of requests by key, and of failed authentications by network, in a minute. */
  readonly limits?: RateLimitOptions
  /** The servers of language models to which calls of their own formats are passed on, with memory. Default: none. */
  readonly upstreams?: Upstreams
  /** Bounds of calls that are passed on. */
  readonly proxyLimits?: Partial<ProxyLimits>
}

/** A server that runs. */
export interface MemoryServer {
  /** Its address, such as `http://127.0.0.1:8737`. */
  readonly url: string
  /** Takes no more requests, answers those under way, and ends. The memory stays open. */
  close(): Promise<void>
}

export const usualPort = 8_737
const usualBodyBytes = 16 * 1024 * 1024
const importBytes = 4 * 1024 * 1024 * 1024
const readDeadlineMs = 30_000

/** The time that requests under way have when the server closes. */
const graceMs = 25_000

/** The longest wait, before a server starts, for what a first context loads. */
const warmMs = 2_000

/**
 * Serves a memory over HTTP, to callers that have a key (`memory.keys.create()`). Close the server before the memory.
 * InvalidConfiguration for an address that cannot be used.
 *
 * @example const server = await serveMemory(memory, { port: 8_737 })
 */
export async function serveMemory(memory: Memory, options: ServerOptions = {}): Promise<MemoryServer> {
  const { host = '127.0.0.1', port = usualPort, log = 'errors', logSink = process.stderr } = options
  const addresses = addressesOf(host, options)
  const store = memory.doorStore()
  const erasures = await ErasureWatch.start(store)
  const doorkeeper = new KeyDoorkeeper(store, options.limits)
  const replies = new IdempotentReplies(erasures)
  const state = { closing: false }
  const feeds = new EventFeeds(memory)
  const { clock } = memory.callsForStore().means
  const now = (): number => clock.now()
  const writeLog = requestLog(logSink, log, now)
  const proxy = proxyApp({
    scopeOf: proxyScopeOf(memory, doorkeeper),
    upstreams: options.upstreams ?? {},
    ...(options.proxyLimits === undefined ? {} : { limits: options.proxyLimits }),
    isVarveKey: (text) => text.startsWith(keyPrefix),
    ...{ now, erasures },
  })
  const metrics = new Metrics(memory, { streams: () => feeds.size }, proxy.counters)
  const means: AppMeans = {
    ...{ memory, doorkeeper, replies, readDeadlineMs, maxImportBytes: importBytes, maxBodyBytes: options.maxBodyBytes ?? usualBodyBytes },
    ...{ addresses, now, isClosing: () => state.closing, erasures },
    told: (answered: AnsweredRequest) => {
      metrics.count(answered)
      writeLog(answered)
    },
  }
  const app: Hono<ServerEnv> = serverApp(means)
  app.route('/', proxy.app)
  addEventsRoutes(app, { feeds, doorkeeper, ...(options.maxStreams === undefined ? {} : { mostOfKey: options.maxStreams }) })
  addMcpRoutes(app, { memory, doorkeeper, erasures, readDeadlineMs })
  addDocsRoutes(app)
  addOperateRoutes(app, {
    ...{ memory, metrics, isClosing: means.isClosing, isInPlace: inPlace(options.file) },
    admitOperator: (context) => admitOperator(doorkeeper, context),
  })
  if (Object.values(options.upstreams ?? {}).some((upstream) => upstream !== undefined)) await warmed(memory)
  const listening = await listenAt(app, { host, port }).catch(async (error: unknown) => {
    feeds.close()
    await doorkeeper.close()
    throw error
  })
  const events = memory.events()
  const dropping = dropErased(events, erasures)
  return {
    url: listening.url,
    close: async () => {
      state.closing = true
      feeds.close()
      await listening.close(graceMs)
      await proxy.settled()
      await events.return?.()
      await dropping
      erasures.stop()
      await doorkeeper.close()
    },
  }
}

/** Asks once, for nobody: the first context loads the tokenizer, which takes longer than a proxied call waits for memory. */
async function warmed(memory: Memory): Promise<void> {
  await memory.for('~warm').context({ query: 'the first question', maxTokens: 1, deadlineMs: warmMs })
}

/** Lets in who may see the store as a whole. */
async function admitOperator(doorkeeper: KeyDoorkeeper, { req }: Context<ServerEnv>): Promise<void> {
  doorkeeper.allowOperator(await doorkeeper.admit(req.raw))
}

/** A server on this machine alone answers to its names alone. Elsewhere its names are known to whoever set it up. */
function addressesOf(host: string, { allowHosts = [], allowOrigins = [] }: ServerOptions): Addresses {
  const wrongHost = allowHosts.find((name) => !/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(name))
  if (wrongHost !== undefined)
    throw new InvalidConfiguration({ setting: 'allowHosts', reason: 'a name has no scheme, no port and no path' })
  const wrongOrigin = allowOrigins.find((origin) => !/^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/i.test(origin))
  if (wrongOrigin !== undefined)
    throw new InvalidConfiguration({ setting: 'allowOrigins', reason: 'an origin is a scheme and a host, such as https://app.example' })
  const hosts = isLoopback(host) ? [...loopbackHosts, ...allowHosts] : allowHosts
  return { hosts: hosts.length === 0 ? undefined : lowered(hosts), origins: lowered(allowOrigins) }
}

/** Browsers write hosts and origins in small letters. */
function lowered(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

/** Drops what is held in this process as soon as this process erases something: it may hold its words. */
async function dropErased(events: AsyncIterable<MemoryEvent>, erasures: ErasureWatch): Promise<void> {
  for await (const { type } of events) if (type === 'forgotten' || type === 'replaced') await erasures.tryLook()
}
