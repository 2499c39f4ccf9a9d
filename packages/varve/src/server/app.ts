import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Context, Hono } from 'hono'
import { InvalidRequest } from '../errors/invalid-request.ts'
import { StoreFailed } from '../errors/store-failed.ts'
import { VarveError } from '../errors/varve-error.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { type Addresses, corsHeaders, preflightHeaders, addressRefusal } from './addresses.ts'
import { noteArrival } from './arrival.ts'
import { answered, type Asked, type RouteMeans } from './call-route.ts'
import { problemOf, statusFor } from './problem.ts'
import { responseOf } from './reply.ts'
import type { AnsweredRequest } from './request-log.ts'
import { allRoutes, type Route } from './routes.ts'

/** Node's own request and answer, where Node serves. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

export interface ServerEnv {
  Bindings: NodeBindings
  Variables: { requestId: string; route?: string; fault?: unknown }
}

export interface AppMeans extends RouteMeans {
  readonly addresses: Addresses
  now(): number
  /** True once no more connections are taken. */
  isClosing(): boolean
  told(answered: AnsweredRequest): void
}

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
  const routes = allRoutes()
  for (const route of routes)
    app.on(route.verb, honoPath(route.path), async (context) => {
      context.set('route', route.path)
      return responseOf(await answered(means, route, askedIn(context)))
    })
  for (const [path, verbs] of verbsByPath(routes)) app.all(honoPath(path), ({ get }) => otherVerb(verbs, get('requestId')))
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
  const { headers, status } = context.res
  for (const [name, value] of Object.entries({ ...usualHeaders, ...corsHeaders(request, means.addresses) }))
    if (!headers.has(name)) headers.set(name, value)
  headers.set('varve-request-id', requestId)
  // Its connection would stay open for another request, and the server waits for it.
  if (means.isClosing()) headers.set('connection', 'close')
  const fault = context.get('fault')
  means.told({
    ...{ requestId, verb: request.method, route: context.get('route') ?? 'none', status, ms: performance.now() - began },
    ...(fault === undefined ? {} : { fault }),
  })
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

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function verbsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const verbs = new Map<string, string[]>()
  for (const { path, verb } of routes) verbs.set(path, [...(verbs.get(path) ?? []), verb])
  return verbs
}
