import type { ServerConnection } from './connection.ts'
import { backoffMs, pause } from './pause.ts'
import { cancelled, deadlineExceeded, errorOf, memoryClosed, RemoteError, unreachable } from './remote-error.ts'

/** A request, as it is sent: the same each time. */
export interface Outgoing {
  readonly operation: string
  readonly verb: string
  /** The path with its query, beneath the server's address. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestInit['body']
  readonly signal: AbortSignal | undefined
  /** It is sent once this is over. */
  readonly after?: Promise<unknown>
  /** The most milliseconds until the answer. */
  readonly limitMs: number
  /** How often it is sent again. */
  readonly retries: number
}

/** Statuses of a server that is away or busy. */
const transient = new Set([429, 502, 503, 504])

/** The longest wait for a write that names no `deadlineMs`. Node's own `fetch` gives up after 300 seconds, with a worse error. */
export const longestWriteMs = 290_000

/** Sends a request until it is answered, and reads the answer; the time limit holds for both. */
export function exchanged<Answer>(
  connection: ServerConnection,
  request: Outgoing,
  read: (response: Response, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  return inTime(request, async (signal) => {
    if (request.after !== undefined) await request.after
    if (signal.aborted) throw signal.reason
    const began = performance.now()
    for (let attempt = 0; ; attempt += 1) {
      const { answer, failed, afterMs = 0 } = await tried(connection, request, signal, read)
      if (failed === undefined) return answer()
      const wait = Math.max(backoffMs(attempt), afterMs)
      // No attempt begins after the time of a read: nobody waits for a write that begins minutes later.
      const isOver = performance.now() - began + wait > Math.min(request.limitMs, connection.timeoutMs)
      if (attempt >= request.retries || isOver || signal.aborted) throw failed
      await pause(wait, signal)
    }
  })
}

interface Tried<Answer> {
  answer(): Answer
  /** The failure of an attempt that may be made again. */
  readonly failed?: RemoteError
  /** The wait that the server asks for: milliseconds. */
  readonly afterMs?: number
}

async function tried<Answer>(
  { fetch, url, headers }: ServerConnection,
  request: Outgoing,
  signal: AbortSignal,
  read: (response: Response, signal: AbortSignal) => Promise<Answer>,
): Promise<Tried<Answer>> {
  const failing = (failed: RemoteError, afterMs = 0): Tried<Answer> => {
    return {
      failed,
      afterMs,
      answer: () => {
        throw failed
      },
    }
  }
  try {
    const { verb: method, body } = request
    // A body that is a stream asks for this.
    const sent = body === undefined || body === null ? {} : { body, duplex: 'half' as const }
    const response = await fetch(`${url}${request.address}`, { method, headers: { ...headers, ...request.headers }, signal, ...sent })
    const { status } = response
    if (response.ok) {
      const answer = await read(response, signal)
      return { answer: () => answer }
    }
    const failed = errorOf(status, await problemIn(response))
    if (!transient.has(status) || !failed.isRetryable) throw failed
    return failing(failed, retryAfterMs(response.headers.get('retry-after')))
  } catch (error) {
    if (RemoteError.is(error)) throw error
    return failing(unreachable(reasonOf(error), error))
  }
}

/** Refuses the answer of something that stands before the server, such as a page to sign in. */
export function refuseOtherType({ headers }: Response, type: string): void {
  if (headers.get('content-type')?.startsWith(type) !== true) throw unreachable(`its answer is not ${type}`)
}

async function problemIn(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    // Something before the server answered in its own way: the status tells.
    return undefined
  }
}

/** Names a failure of the network. Its message may hold an address, which may hold a secret. */
function reasonOf(error: unknown): string {
  const code: unknown = Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code')
  return `no answer (${typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown'})`
}

function retryAfterMs(told: string | null): number {
  if (told === null) return 0
  const ms = /^\d+$/.test(told) ? Number(told) * 1_000 : Date.parse(told) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

/** Runs a call until its caller aborts it or its time is over. Both end it at once, whatever the given `fetch` does. */
async function inTime<Answer>({ operation, signal, limitMs }: Outgoing, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  if (signal?.aborted === true) throw cancelled(operation, signal.reason)
  const controller = new AbortController()
  let end = (_error: RemoteError): void => undefined
  const cut = new Promise<never>((_, reject) => {
    end = (error) => {
      reject(error)
      controller.abort(error)
    }
  })
  const onAbort = (): void => end(cancelled(operation, signal?.reason))
  const timer = setTimeout(() => end(deadlineExceeded(operation, limitMs)), limitMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(controller.signal), cut])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Keeps a call until it is over, and refuses it when the client is closed. */
export async function underWay<Answer>({ closing, open }: ServerConnection, call: () => Promise<Answer>): Promise<Answer> {
  if (closing.signal.aborted) throw memoryClosed()
  const made = call()
  open.add(made)
  try {
    return await made
  } finally {
    open.delete(made)
  }
}
