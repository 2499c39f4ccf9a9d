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
  readonly after?: Promise<unknown> | undefined
  /** The most milliseconds until the answer. */
  readonly limitMs: number
  /** How often it is sent again. */
  readonly retries: number
}

type Read<Answer> = (response: Response) => Promise<Answer>

/** Sends a request until it is answered, and reads the answer. An abort and the time limit end both at once, whatever `fetch` does. */
export async function exchanged<Answer>(connection: ServerConnection, request: Outgoing, read: Read<Answer>): Promise<Answer> {
  const { closing, open } = connection
  const { operation, signal, limitMs } = request
  if (closing.signal.aborted) throw memoryClosed()
  const ended = new AbortController()
  const onAbort = (): void => ended.abort(cancelled(operation, signal?.reason))
  const cut = new Promise<never>((_, reject) => {
    ended.signal.addEventListener('abort', () => reject(ended.signal.reason))
  })
  const timer = setTimeout(() => ended.abort(deadlineExceeded(operation, limitMs)), limitMs)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()
  const made = Promise.race([cut, attempted(connection, request, read, ended.signal)])
  open.add(made)
  try {
    return await made
  } finally {
    open.delete(made)
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

async function attempted<Answer>(
  { fetch, url, headers, timeoutMs }: ServerConnection,
  { after, verb: method, address, body, headers: more, limitMs, retries }: Outgoing,
  read: Read<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  await after
  const began = performance.now()
  for (let attempt = 0; ; attempt += 1) {
    if (signal.aborted) throw signal.reason
    let wait = backoffMs(attempt)
    let failed: RemoteError
    try {
      // A body that is a stream asks for `duplex`.
      const response = await fetch(url + address, { method, headers: { ...headers, ...more }, signal, body: body ?? null, duplex: 'half' })
      if (response.ok) return await read(response)
      const { status } = response
      failed = errorOf(status, jsonIn(await response.text()))
      // A server that is away or busy.
      if (![429, 502, 503, 504].includes(status) || !failed.isRetryable) throw failed
      const told = response.headers.get('retry-after') ?? ''
      wait = Math.max(wait, Number(told) * 1_000 || Date.parse(told) - Date.now() || 0)
    } catch (error) {
      if (RemoteError.is(error)) throw error
      // The message of a failure of the network may hold an address, which may hold a secret.
      const { cause, name }: Readonly<Record<string, unknown>> = Object(error)
      failed = unreachable(`no answer (${Object(cause).code ?? name})`, error)
    }
    // No attempt begins after the time of a read: nobody waits for a write that begins minutes later.
    if (attempt >= retries || performance.now() - began + wait > Math.min(limitMs, timeoutMs)) throw failed
    await pause(wait, signal)
  }
}

/** Reads JSON. Undefined for what is none: something before the server answered in its own way. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
