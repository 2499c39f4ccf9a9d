import type { ServerConnection } from './connection.ts'
import { exchanged, type Outgoing } from './exchange.ts'
import { unreachable } from './remote-error.ts'

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** A stream without a byte for so long is taken for dead. A server sends a sign of life more often. */
const idleMs = 90_000
/** The longest line, in characters. */
const longestLine = 64 * 1024 * 1024

/** Gives a controller that aborts with any of these signals. To abort it lets go of them. Not every runtime has AbortSignal.any. */
export function abortedWith(...signals: readonly (AbortSignal | undefined)[]): AbortController {
  const ended = new AbortController()
  const end = (): void => ended.abort()
  for (const one of signals) {
    if (one?.aborted === true) end()
    one?.addEventListener('abort', end, { signal: ended.signal })
  }
  return ended
}

/** Asks for an answer that comes in pieces. Refuses that of something which stands before the server, such as a page to sign in. */
export function openedStream(connection: ServerConnection, request: Outgoing, type: string): Promise<Reader> {
  return exchanged(connection, request, async ({ headers, body }) => {
    if (headers.get('content-type')?.startsWith(type) !== true || body === null) throw unreachable(`its answer is not ${type}`)
    return body.getReader()
  })
}

/** Yields the lines of a stream, without their line feeds. Unreachable when it is cut or dead; an abort ends it. */
export async function* linesInStream(reader: Reader, signal: AbortSignal): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const end = (): void => void Promise.allSettled([reader.cancel()])
  let begun = ''
  const endIdle = (): void => {
    begun += ' '
    end()
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    for (;;) {
      const timer = setTimeout(endIdle, idleMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      const [first = '', ...others] = decoder.decode(value, { stream: !done }).split('\n')
      begun += first
      for (const other of others) {
        yield begun
        begun = other
      }
      // Each line has its line feed: a rest is a line that was cut.
      if (begun.length > (done ? 0 : longestLine)) throw unreachable('its answer broke off')
      if (done) return
    }
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}
