import type { ServerConnection } from './connection.ts'
import { backoffMs, pause } from './pause.ts'
import type { EventsOptions, RemoteEvent } from './remote-memory.ts'
import { cancelled, isAway, memoryClosed, RemoteError } from './remote-error.ts'
import { abortedWith, linesInStream, openedStream } from './stream.ts'

/** A message of a stream of events, by its fields. */
type Frame = Readonly<Record<string, string | undefined>>

/** Gives the events of a server. It connects when it is called, so that few events pass it by. */
export function eventsAt(
  connection: ServerConnection,
  base: string,
  { signal, content, lastEventId }: EventsOptions,
): AsyncIterableIterator<RemoteEvent> {
  const { closing, timeoutMs: limitMs } = connection
  if (closing.signal.aborted) throw memoryClosed()
  const left = abortedWith(signal, closing.signal)
  const { signal: ended } = left
  const open = (): ReturnType<typeof openedStream> => {
    const opened = openedStream(
      connection,
      {
        ...{ operation: 'events', verb: 'GET', signal: ended, limitMs, retries: 0 },
        address: `${base}/events${content === true ? '?content=true' : ''}`,
        headers: { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) },
      },
      'text/event-stream',
    )
    // It is awaited when an event is asked for.
    void Promise.allSettled([opened])
    return opened
  }
  /** The place of the message that came last: a quiet stream tells places without events too. */
  let last = lastEventId
  /** The wait before another connection that the server asks for: milliseconds. */
  let waitMs = 0
  let opened = open()
  async function* events(): AsyncGenerator<RemoteEvent, void> {
    for (let failures = 0; !ended.aborted; failures += 1) {
      try {
        for await (const { id, event, data, retry } of eventFrames(linesInStream(await opened, ended))) {
          last = id ?? last
          waitMs = Number(retry) || waitMs
          if (data === undefined) continue
          failures = 0
          yield { ...JSON.parse(data), ...(event === undefined ? {} : { type: event }), ...(id === undefined ? {} : { eventId: id }) }
        }
      } catch (error) {
        // What cannot be read is like a stream that broke off.
        if (!ended.aborted && RemoteError.is(error) && !isAway(error)) {
          left.abort()
          throw error
        }
      }
      await pause(Math.max(waitMs, backoffMs(failures)), ended)
      if (!ended.aborted) opened = open()
    }
    if (signal?.aborted === true) throw cancelled('events', signal.reason)
  }
  const stream = events()
  const finish = stream.return.bind(stream)
  // An iterator that waits for an event takes a return when that has come: the end of the stream is sooner.
  const end = (): ReturnType<typeof finish> => {
    left.abort()
    return finish()
  }
  return Object.assign(stream, { return: end })
}

/** Joins the lines of a server's text/event-stream to messages. Each ends with an empty line, and its data are one line of JSON. */
export async function* eventFrames(lines: AsyncIterable<string>): AsyncGenerator<Frame, void> {
  let fields: Record<string, string> = {}
  for await (const line of lines) {
    const [, field = '', value = ''] = /^(\w+): ?(.*?)\r?$/s.exec(line) ?? []
    if (field !== '') fields[field] = value
    else if (/^\r?$/.test(line)) {
      yield fields
      fields = {}
    }
  }
}
