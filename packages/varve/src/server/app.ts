import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { InvalidRequest } from '../errors/invalid-request.ts'
import { StoreFailed } from '../errors/store-failed.ts'
import { VarveError } from '../errors/varve-error.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { type Addresses, corsHeaders, preflightHeaders, addressRefusal } from './addresses.ts'
import { noteArrival } from './arrival.ts'
import { answered, type Asked, type RouteMeans } from './call-route.ts'
import { problemOf, statusFor } from './problem.ts'
import { type Reply, responseOf } from './reply.ts'
import type { AnsweredRequest } from './request-log.ts'
import { RouteTree } from './route-tree.ts'
import { allRoutes } from './routes.ts'

/** Node's own request and answer, where Node serves. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

export interface ServerEnv {
  Bindings: NodeBindings
  Variables: {
    requestId: string
    route?: string
    fault?: unknown
    /** The status of an answer that is sent already, past Hono's own. */
    sent?: number
  }
}

export interface AppMeans extends RouteMeans {
  readonly addresses: Addresses
  now(): number
  /** True once no more connections are taken. */
  isClosing(): boolean
  told(answered: AnsweredRequest): void
}

/**
 * Tells the adaptor that an answer is sent. A copy of its own sign: `serve()` of the adaptor, where a host program called it
 * before this file was loaded, puts another Response in the place of the global one, and would send that sign too.
 */
const alreadySent = RESPONSE_ALREADY_SENT.clone()

/** Headers of every answer. Answers are somebody's words: nobody between keeps one, and no browser runs one. */
const usualHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const

/** Makes the application of HTTP: every operation at its route. Other parts add theirs to it. */
export function serverApp(means: AppMeans): Hono<ServerEnv> {
  // The path stays as it was sent: names are decoded once, and a name may have a slash.
  const app = new Hono<ServerEnv>({ getPath: ({ url }) => sentPath(url) })
  app.use((context, next) => framed(means, context, next))
  app.onError((error, context) => {
    if (!VarveError.is(error)) context.set('fault', error)
    const told = VarveError.is(error) ? error : unknownFault()
    return problemOf(told, context.get('requestId'), statusFor(told, context.req.raw))
  })
  const routes = new RouteTree(allRoutes())
  app.use('/v1/*', async (context, next) => {
    const asked = askedIn(context)
    const { method } = context.req
    const found = routes.find(asked.path, method === 'HEAD' ? 'GET' : method)
    if (found === undefined) {
      const verbs = routes.verbsAt(asked.path)
      return verbs.length === 0 ? next() : otherVerb(verbs, asked.requestId)
    }
    context.set('route', found.route.path)
    return sent(means, context, await answered(means, found.route, found.names, asked))
  })
  app.notFound(({ get }) =>
    problemOf(new InvalidRequest({ status: 404, reason: 'nothing is at its path; /docs lists the routes' }), get('requestId')),
  )
  return app
}

/** Gives every answer its headers, and tells of it. */
async function framed(means: AppMeans, context: Context<ServerEnv>, next: () => Promise<void>): Promise<void> {
  const began = performance.now()
  const request = context.req.raw
  const requestId = uuidv7(means.now())
  context.set('requestId', requestId)
  noteArrival(request, { remote: context.env?.incoming?.socket.remoteAddress ?? '', requestId })
  const refused = addressRefusal(request, means.addresses)
  if (refused !== undefined) context.res = problemOf(refused, requestId)
  else if (request.method === 'OPTIONS')
    context.res = new Response(null, { status: 204, headers: preflightHeaders(request, means.addresses) })
  else await next()
  const sentStatus = context.get('sent')
  if (sentStatus === undefined) {
    const { headers } = context.res
    for (const [name, value] of Object.entries(framing(means, request, requestId))) if (!headers.has(name)) headers.set(name, value)
  }
  const status = sentStatus ?? context.res.status
  const fault = context.get('fault')
  means.told({
    ...{ requestId, verb: request.method, route: context.get('route') ?? 'none', status, ms: performance.now() - began },
    ...(fault === undefined ? {} : { fault }),
  })
}

/** Makes the headers that every answer has, unless it has its own. */
function framing({ addresses, isClosing }: AppMeans, request: Request, requestId: string): Readonly<Record<string, string>> {
  // Its connection would stay open for another request, and the server waits for it.
  const ending = isClosing() ? { connection: 'close' } : {}
  return { ...usualHeaders, ...corsHeaders(request, addresses), 'varve-request-id': requestId, ...ending }
}

/** Answers. A text goes to Node's answer at once: by way of a Response it took a third of what HTTP adds to an append. */
function sent(means: AppMeans, context: Context<ServerEnv>, reply: Reply): Response {
  const { outgoing } = context.env ?? {}
  const { status, headers, body = '' } = reply
  // Hono makes the answer to HEAD of a Response.
  if (outgoing === undefined || typeof body !== 'string' || context.req.method === 'HEAD') return responseOf(reply)
  const length = reply.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  outgoing.writeHead(status, { ...framing(means, context.req.raw, context.get('requestId')), ...headers, ...length })
  outgoing.end(body)
  context.set('sent', status)
  return alreadySent
}

/** Answers a request whose path takes other verbs, and says which. */
function otherVerb(verbs: readonly string[], requestId: string): Response {
  const allowed = verbs.join(', ')
  const response = problemOf(new InvalidRequest({ status: 405, reason: `its path takes ${allowed} alone` }), requestId)
  response.headers.set('allow', allowed)
  return response
}

/** A fault of ours. The caller learns nothing of it but the request's id, by which the log tells it. */
function unknownFault(): VarveError {
  return new StoreFailed({ operation: 'the request', reason: 'an unexpected fault: the server’s log has it under the request’s id' })
}

function askedIn({ req, env, get }: Context<ServerEnv>): Asked {
  const { incoming } = env ?? {}
  return { request: req.raw, incoming, requestId: get('requestId'), path: sentPath(req.url) }
}

/** Gives the path of an address as it was sent. */
export function sentPath(url: string): string {
  const from = url.indexOf('/', url.indexOf('://') + 3)
  const to = url.slice(from).search(/[?#]/)
  return from < 0 ? '/' : to < 0 ? url.slice(from) : url.slice(from, from + to)
}
