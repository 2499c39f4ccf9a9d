import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Context, Hono } from 'hono'
import { actingAs, reaches } from '../keys/reach.ts'
import type { CallerKey } from '../keys/caller-key.ts'
import { mcpServer, mostValues } from '../mcp/mcp-server.ts'
import { sentPath, type ServerEnv } from './app.ts'
import { auditedCalls, type AuditedMeans } from './audited-calls.ts'
import { servedVersion } from './docs-routes.ts'
import { type KeyDoorkeeper, refusal, userIn } from './doorkeeper.ts'
import { type ActingKey, actingKeyOf } from './proxy-scope.ts'
import { bodyText } from './read-body.ts'
import { decodedSegment } from './read-fields.ts'

export interface McpRoutesMeans extends AuditedMeans {
  readonly doorkeeper: KeyDoorkeeper
}

/** The most bytes of a message. */
const maxBytes = 4 * 1024 * 1024

const ofPath = '/v1/projects/:project/users/:user/mcp'

/** Adds the endpoints of MCP: of the user whom a key or a header names, and of the user in the path. */
export function addMcpRoutes(app: Hono<ServerEnv>, means: McpRoutesMeans): void {
  app.all('/mcp', (context) => answered(means, context, actingKeyOf))
  app.all(ofPath, (context) =>
    answered(means, context, (identified, request) => {
      const [, , , project = '', , user = ''] = sentPath(request.url).split('/')
      return actingOnPath(identified, request, { project: decodedSegment(project), user: decodedSegment(user) })
    }),
  )
}

function actingOnPath(
  identified: CallerKey,
  request: Request,
  { project, user }: { readonly project: string; readonly user: string },
): ActingKey {
  const acting = actingAs(identified, userIn(request))
  if (typeof acting === 'string') throw refusal(acting)
  if (!reaches(acting, { on: 'user', project, user })) throw refusal('out-of-reach')
  return { acting, project, user }
}

type Scoping = (identified: CallerKey, request: Request) => ActingKey

/** Answers one message. A server is made for it, and holds nothing after it. */
async function answered(means: McpRoutesMeans, context: Context<ServerEnv>, scopeOf: Scoping): Promise<Response> {
  context.set('route', context.req.routePath)
  const request = context.req.raw
  const key = scopeOf(await means.doorkeeper.identify(request), request)
  // A request of Fetch has no TRACE, so none is made of it.
  if (request.method !== 'POST')
    return Response.json(errorOf(null, -32_000, 'Method not allowed.'), { status: 405, headers: { allow: 'POST' } })
  const body = await bodyText({ request, incoming: context.env?.incoming }, maxBytes)
  const unserved = refusedMessage(body)
  if (unserved !== undefined) return unserved
  const { searchParams: asked } = new URL(request.url)
  const handler = createMcpHandler(
    () =>
      mcpServer({
        make: auditedCalls(means, key, context.get('requestId')),
        markOf: (content) => means.memory.markOf(content),
        ...{ readOnly: key.acting.access === 'read', allTools: asked.get('tools') === 'all' },
        ...{ readings: asked.get('readings') === 'on', version: servedVersion() },
      }),
    { maxRequestBodySize: maxBytes },
  )
  const { method, headers, signal, url } = request
  return handler.fetch(new Request(url, { method, headers, signal, body }))
}

/**
 * Refuses what is one request here and much work: a list of messages would pass the bounds of requests, a message of very many
 * values would hold up everybody while it is checked, and a subscription would hold a connection open for nothing, since no list
 * changes. A text that is not JSON gets the protocol's own error code.
 */
function refusedMessage(body: string): Response | undefined {
  const message = parsed(body)
  if (Array.isArray(message))
    return Response.json(errorOf(null, -32_600, 'Batches are not served: send each message by itself'), { status: 400 })
  if (hasOver(message, mostValues))
    return Response.json(errorOf(null, -32_600, `A message has at most ${mostValues} values`), { status: 400 })
  const { method, id }: { readonly method?: unknown; readonly id?: unknown } = Object(message)
  if (method !== 'subscriptions/listen') return undefined
  return Response.json(errorOf(typeof id === 'string' || typeof id === 'number' ? id : null, -32_601, 'Method not found'), { status: 404 })
}

/** Tells whether a value has more values in it than a number. */
function hasOver(value: unknown, most: number): boolean {
  const waiting = [value]
  for (let seen = 0; waiting.length > 0; seen += 1) {
    const one: unknown = waiting.pop()
    const within = typeof one === 'object' && one !== null ? Object.values(one) : []
    if (seen + waiting.length + within.length > most) return true
    waiting.push(...within)
  }
  return false
}

function errorOf(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
