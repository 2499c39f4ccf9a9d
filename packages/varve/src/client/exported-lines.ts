import type { ServerConnection } from './connection.ts'
import type { Outgoing } from './exchange.ts'
import { cancelled, memoryClosed, RemoteError, unreachable } from './remote-error.ts'
import { abortedWith, linesInStream, openedStream } from './stream.ts'

/** Yields the lines of an export, each with its line feed. The request is sent when the first line is asked for. */
export async function* exportedLines(connection: ServerConnection, request: () => Outgoing): AsyncGenerator<string, void> {
  const outgoing = request()
  const { signal, operation } = outgoing
  const { signal: closing } = connection.closing
  const ended = abortedWith(signal, closing)
  try {
    const reader = await openedStream(connection, outgoing, 'application/jsonl')
    for await (const line of linesInStream(reader, ended.signal)) yield `${line}\n`
  } catch (error) {
    if (!ended.signal.aborted) throw RemoteError.is(error) ? error : unreachable('its answer broke off', error)
  } finally {
    ended.abort()
  }
  if (signal?.aborted === true) throw cancelled(operation, signal.reason)
  if (closing.aborted) throw memoryClosed()
}
