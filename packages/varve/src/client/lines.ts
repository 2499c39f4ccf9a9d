import type { ServerConnection } from './connection.ts'
import { exchanged, type Outgoing, refuseOtherType, underWay } from './exchange.ts'
import { cancelled, memoryClosed, RemoteError, unreachable } from './remote-error.ts'

/** Yields the lines of an export, each with its line feed. The request is sent when the first line is asked for. */
export async function* exportedLines(connection: ServerConnection, request: () => Outgoing): AsyncGenerator<string, void> {
  const outgoing = request()
  const { signal, operation } = outgoing
  const { signal: closing } = connection.closing
  const body = await underWay(connection, () =>
    exchanged(connection, outgoing, async (response) => {
      refuseOtherType(response, 'application/jsonl')
      return response.body
    }),
  )
  if (body === null) return
  const reader = body.getReader()
  const end = (): void => void Promise.allSettled([reader.cancel()])
  for (const one of [signal, closing]) one?.addEventListener('abort', end, { once: true })
  try {
    yield* linesFrom(reader)
  } catch (error) {
    if (signal?.aborted !== true && !closing.aborted) throw RemoteError.is(error) ? error : unreachable('the lines broke off', error)
  } finally {
    for (const one of [signal, closing]) one?.removeEventListener('abort', end)
    end()
  }
  if (signal?.aborted === true) throw cancelled(operation, signal.reason)
  if (closing.aborted) throw memoryClosed()
}

async function* linesFrom(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let begun: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    const [first = '', ...others] = decoder.decode(value, { stream: !done }).split('\n')
    begun.push(first)
    for (const other of others) {
      yield `${begun.join('')}\n`
      begun = [other]
    }
    if (done) break
  }
  // Each line has its line feed: a rest is a line that was cut.
  if (begun.some((part) => part !== '')) throw unreachable('the lines broke off')
}
