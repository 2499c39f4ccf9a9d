import type { IncomingMessage } from 'node:http'
import { answerWith, passedOn } from './passed-on.ts'
import type { ProxyMeans } from './proxy-means.ts'
import type { Provider, ProxyLimits } from './proxy-options.ts'
import { callUpstream, upstreamUrl } from './upstream-call.ts'
import { headersDownstream, headersUpstream } from './upstream-headers.ts'

/** Requests that a client makes beside its calls: they hold no memory, and are passed on. What a provider keeps is not among them. */
export const besidePaths = [
  { verb: 'GET', path: '/models' },
  { verb: 'GET', path: '/models/:id' },
  { verb: 'POST', path: '/messages/count_tokens' },
] as const

/** Requests for a reply that the provider keeps, as one that is made in the background. Only the key that got it may send them. */
export const keptPaths = [
  { verb: 'GET', path: '/responses/:id' },
  { verb: 'GET', path: '/responses/:id/input_items' },
  { verb: 'POST', path: '/responses/:id/cancel' },
  { verb: 'DELETE', path: '/responses/:id' },
] as const

/** Sees an answer as it is passed on. The bytes stay as they are. */
export type BesideWatch = (answer: IncomingMessage) => { seen(piece: Buffer): void; ended(): void }

const noWatch: BesideWatch = () => ({ seen: () => undefined, ended: () => undefined })

/** Tells whose format a request has. Both have a list of models. */
export function providerOf({ headers, url }: Request): Provider {
  return headers.has('anthropic-version') || new URL(url).pathname.startsWith('/v1/messages/') ? 'anthropic' : 'openai'
}

/** Passes a request and its answer on as they are. Undefined when there is no such upstream. */
export async function passedBeside(
  { upstreams, isVarveKey }: ProxyMeans,
  { upstreamTimeoutMs }: ProxyLimits,
  request: Request,
  body: Buffer,
  watch = noWatch,
): Promise<Response | undefined> {
  const provider = providerOf(request)
  const upstream = upstreams[provider]
  if (upstream === undefined) return undefined
  const { pathname, search } = new URL(request.url)
  const answer = await callUpstream({
    url: upstreamUrl(upstream.url, pathname.replace(/^\/v1/, ''), search),
    method: request.method,
    headers: headersUpstream(request.headers, provider, { key: upstream.key, isVarveKey }),
    ...{ body, timeoutMs: upstreamTimeoutMs, signal: request.signal },
  })
  if ('code' in answer)
    return Response.json({ error: { message: 'the upstream gave no answer', code: answer.code } }, { status: answer.status })
  const stream = passedOn(answer, { ...watch(answer), isStopped: () => request.signal.aborted })
  return answerWith(answer.statusCode, stream, headersDownstream(answer.headers))
}
