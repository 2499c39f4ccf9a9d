import type { ServerConnection } from './connection.ts'
import type { Outgoing } from './exchange.ts'
import { cancelled, memoryClosed, RemoteError, unreachable } from './remote-error.ts'
import { anyOf, linesOf, streamed } from './stream.ts'

/** Yields the lines of an export, each with its line feed. The request is sent when the first line is asked for. */
export async function* exportedLines(connection: ServerConnection, request: () => Outgoing): AsyncGenerator<string, void> {
  const outgoing = request()
  const { signal, operation } = outgoing
  const { signal: closing } = connection.closing
  const ended = anyOf(signal, closing)
  try {
    const reader = await streamed(connection, outgoing, 'application/jsonl')
    for await (const line of linesOf(reader, ended)) yield `${line}\n`
  } catch (error) {
    if (!ended.aborted) throw RemoteError.is(error) ? error : unreachable('its answer broke off', error)
  }
  if (signal?.aborted === true) throw cancelled(operation, signal.reason)
  if (closing.aborted) throw memoryClosed()
}
