import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { InvalidRequest } from '../../errors/invalid-request.ts'
import { bodyBytes } from '../read-body.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { type BesideWatch, besidePaths, keptPaths, passedBeside, providerOf } from './beside-calls.ts'
import { scopeKey } from './call-session.ts'
import { callSettings } from './call-settings.ts'
import { Captures } from './captures.ts'
import { chatCompletions } from './chat-completions.ts'
import { Exchange, ownerKey, type ProxyState } from './exchange.ts'
import { FirstTurns } from './first-turns.ts'
import { HeldTurns } from './held-turns.ts'
import { KnownReplies } from './known-replies.ts'
import { newCounters, type ProxyCounters } from './proxy-counters.ts'
import type { ProxyMeans, ProxyScope } from './proxy-means.ts'
import { usualProxyLimits } from './proxy-options.ts'
import { ReplyWatch } from './reply-watch.ts'
import { responses } from './responses.ts'
import type { WireApi } from './wire-api.ts'

/** The proxy as a part of a server. */
export interface ModelProxy {
  /** The routes: `POST /v1/chat/completions`, `/v1/responses`, `/v1/messages`, `GET /v1/turns/{id}`, and those that are passed on. */
  readonly app: Hono<ProxyEnv>
  counters(): Readonly<ProxyCounters>
  /** Resolves when no reply goes on, and each that ended is stored or was given up. */
  settled(): Promise<void>
}

interface ProxyEnv {
  Bindings: Partial<HttpBindings>
  Variables: { scope: ProxyScope; body: Buffer }
}

/**
 * Makes the proxy: memory for any client of OpenAI's or Anthropic's API, by its base URL. A call gets remembered text
 * within a budget, its answer is passed on byte by byte, and what was said is stored after it.
 */
export function proxyApp(means: ProxyMeans): ModelProxy {
  const limits = { ...usualProxyLimits, ...means.limits }
  const counters = newCounters()
  const held = new HeldTurns(() => means.now(), means.erasures)
  const captures = new Captures(counters, limits.captureDeadlineMs)
  const state: ProxyState = {
    means,
    limits,
    held,
    replies: new KnownReplies(means.erasures),
    firstTurns: new FirstTurns(() => means.now()),
    captures,
    counters,
  }
  const app = new Hono<ProxyEnv>()
  const admitted = createMiddleware<ProxyEnv>(async (c, next) => {
    const scope = await means.scopeOf(c.req.raw)
    if (scope instanceof Response) return scope
    c.set('scope', scope)
    return next()
  })
  const read = (api: WireApi) => bodyRead(api, limits.maxBodyBytes)
  for (const api of [chatCompletions, responses, anthropicMessages])
    app.post(`/v1${api.path}`, admitted, read(api), async (c) => {
      const scope = c.get('scope')
      const settings = callSettings(c.req.raw.headers, scope, limits)
      if (typeof settings === 'string') return refused(c, api, 400, 'invalid_header', settings)
      const upstream = means.upstreams[api.provider]
      if (upstream === undefined) return refused(c, api, 501, 'no_upstream', `this server has no upstream for ${api.provider}`)
      const body = c.get('body')
      const exchange = new Exchange(state, { api, upstream, scope, settings, request: c.req.raw, body, ...cutting(c) })
      const { refusal } = exchange
      return refusal === undefined ? exchange.answer() : refused(c, api, 404, 'previous_response_not_found', refusal)
    })
  for (const { verb, path } of besidePaths)
    app.on(verb, `/v1${path}`, admitted, read(anthropicMessages), async (c) => {
      const body = c.get('body')
      const api = providerOf(c.req.raw) === 'openai' ? chatCompletions : anthropicMessages
      return (await passedBeside(means, limits, c.req.raw, body)) ?? refused(c, api, 501, 'no_upstream', 'this server has no such upstream')
    })
  for (const { verb, path } of keptPaths) app.on(verb, `/v1${path}`, admitted, read(responses), (c) => keptReply(state, c, path))
  app.get('/v1/turns/:id', async (c) => {
    const scope = await means.scopeOf(c.req.raw)
    if (scope instanceof Response) return scope
    const turn = scope.may.read ? await held.turn(c.req.param('id'), ownerKey(scope)) : undefined
    if (turn !== undefined) return c.json(turn, 200, { 'cache-control': 'no-store' })
    return c.json({ title: 'no such turn', status: 404, code: 'NOT_FOUND' }, 404, { 'content-type': 'application/problem+json' })
  })
  return { app, counters: () => ({ ...counters }), settled: () => captures.settled() }
}

/** Reads the body of a request, and refuses one that is too large in the shape of its API. */
function bodyRead(api: WireApi, maxBytes: number): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    try {
      c.set('body', await bodyBytes({ request: c.req.raw, incoming: c.env?.incoming }, maxBytes))
    } catch (error) {
      if (!(error instanceof InvalidRequest) || error.status !== 413) throw error
      return refused(c, api, 413, 'request_too_large', `the request is larger than ${maxBytes} bytes`)
    }
    return next()
  }
}

/** Passes on a request for a reply that the provider keeps. */
async function keptReply(state: ProxyState, c: Context<ProxyEnv>, path: (typeof keptPaths)[number]['path']): Promise<Response> {
  const scope = c.get('scope')
  const id = c.req.param('id') ?? ''
  if (!state.replies.isOfKey(id, scopeKey(scope), scope.keyId))
    return refused(c, responses, 404, 'response_not_found', 'this key got no such response')
  const body = c.get('body')
  const watch = path === '/responses/:id/input_items' ? undefined : lateReply(state, id, c.req.query('stream') === 'true')
  const answer = await passedBeside(state.means, state.limits, c.req.raw, body, watch)
  return answer ?? refused(c, responses, 501, 'no_upstream', 'this server has no such upstream')
}

/** Reads a reply that was made in the background, and stores it when it is whole. */
function lateReply({ captures, replies }: ProxyState, id: string, asksStream: boolean): BesideWatch {
  return (answer) => {
    const reader = responses.reply()
    const watch = new ReplyWatch(reader, answer.headers, asksStream)
    const taken = captures.reply()
    const end = async (): Promise<void> => {
      await watch.end()
      if (answer.statusCode === 200 && reader.id === id && reader.isUnderWay !== true) replies.arrived(id, reader.said())
    }
    return { seen: (piece) => watch.see(piece), ended: () => void setImmediate(() => void end().finally(taken)) }
  }
}

function refused(c: Context, api: WireApi, status: 400 | 404 | 413 | 501, code: string, message: string): Response {
  return c.json(api.error(status, code, message), status)
}

/** Gives the way to cut a client's connection, where the server runs on Node. */
function cutting(c: Context<ProxyEnv>): { readonly cut?: () => void } {
  const outgoing = c.env?.outgoing
  return outgoing === undefined ? {} : { cut: () => void outgoing.destroy() }
}
