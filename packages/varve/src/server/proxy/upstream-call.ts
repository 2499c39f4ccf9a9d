import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'

/** A failure to reach an upstream, or its silence. */
export interface UpstreamFailure {
  readonly status: 502 | 504
  readonly code: 'upstream_unreachable' | 'upstream_timeout'
}

export interface UpstreamCall {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly timeoutMs: number
  /** Aborts the call, also while its answer comes. */
  readonly signal: AbortSignal
}

/**
 * Sends a request, and resolves with the answer when its head is there. Node's own HTTP: unlike fetch it has no bound of
 * five minutes on a silent model, and gives the bytes of the answer as they came.
 */
export async function callUpstream(call: UpstreamCall): Promise<IncomingMessage | UpstreamFailure> {
  const first = await sent(call)
  // An upstream may close an idle connection just when it is used again: nothing was read of the request.
  return first === 'stale' ? unless(await sent(call)) : first
}

function unless(answer: IncomingMessage | UpstreamFailure | 'stale'): IncomingMessage | UpstreamFailure {
  return answer === 'stale' ? { status: 502, code: 'upstream_unreachable' } : answer
}

function sent({ url, method, headers, body, timeoutMs, signal }: UpstreamCall): Promise<IncomingMessage | UpstreamFailure | 'stale'> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | UpstreamFailure | 'stale'>()
  const request = (url.protocol === 'https:' ? secureRequest : plainRequest)(url, {
    method,
    headers: method === 'GET' ? headers : { ...headers, 'content-length': body.length },
    timeout: timeoutMs,
    signal,
  })
  let isSilent = false
  request.on('timeout', () => {
    isSilent = true
    request.destroy()
  })
  request.on('response', resolve)
  request.on('error', (error: NodeJS.ErrnoException) => {
    if (isSilent) resolve({ status: 504, code: 'upstream_timeout' })
    else
      resolve(
        request.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted ? 'stale' : { status: 502, code: 'upstream_unreachable' },
      )
  })
  request.end(body)
  return promise
}

/** Makes the address of a call: the upstream's base, which gets `/v1` when it has no path, and the request's own query. */
export function upstreamUrl(base: string, path: string, search: string): URL {
  const url = new URL(base)
  const folder = url.pathname.replace(/\/+$/, '')
  url.pathname = `${folder === '' ? '/v1' : folder}${path}`
  url.search = search
  return url
}
