import { createParser } from 'eventsource-parser'
import type { ServerConnection } from './connection.ts'
import { exchanged, refuseOtherType } from './exchange.ts'
import { backoffMs, pause } from './pause.ts'
import type { EventsOptions, RemoteEvent } from './remote-memory.ts'
import { cancelled, isAway, memoryClosed, unreachable } from './remote-error.ts'

/** A stream without a byte for so long is taken for dead. A server sends a sign of life more often. */
const idleMs = 90_000
type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The longest event, in characters. */
const longestEvent = 16 * 1024 * 1024

/** Makes the method that gives the events of a server. It connects when it is called, so that few events pass it by. */
export function eventsOf(
  connection: ServerConnection,
  baseOf: (options: EventsOptions) => string,
): (options?: EventsOptions) => AsyncIterableIterator<RemoteEvent> {
  return (options = {}) => {
    const { signal } = options
    const { signal: closing } = connection.closing
    if (closing.aborted) throw memoryClosed()
    const base = baseOf(options)
    const ended = new AbortController()
    const end = (): void => ended.abort()
    for (const one of [signal, closing]) one?.addEventListener('abort', end, { once: true })
    if (signal?.aborted === true) end()
    const stream = new EventStream(connection, base, options, ended.signal)
    const events = stream.events()
    const stop = async (): Promise<void> => {
      end()
      for (const one of [signal, closing]) one?.removeEventListener('abort', end)
    }
    return {
      next: () => events.next(),
      return: async () => {
        await stop()
        return events.return()
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
}

class EventStream {
  readonly #connection: ServerConnection
  readonly #options: EventsOptions
  readonly #base: string
  readonly #signal: AbortSignal
  /** The event that came last. */
  #last: string | undefined
  /** The wait before another connection that the server asks for: milliseconds. */
  #waitMs = 0
  #opened: Promise<Reader>

  constructor(connection: ServerConnection, base: string, options: EventsOptions, signal: AbortSignal) {
    this.#connection = connection
    this.#base = base
    this.#options = options
    this.#signal = signal
    this.#last = options.lastEventId
    this.#opened = this.#open()
  }

  async *events(): AsyncGenerator<RemoteEvent, void> {
    const { signal } = this.#options
    for (let failures = 0; !this.#signal.aborted; failures += 1) {
      try {
        for await (const event of this.#eventsFrom(await this.#opened)) {
          failures = 0
          yield event
        }
      } catch (error) {
        if (!this.#signal.aborted && !isAway(error)) throw error
      }
      await Promise.allSettled([pause(Math.max(this.#waitMs, backoffMs(failures)), this.#signal)])
      if (!this.#signal.aborted) this.#opened = this.#open()
    }
    if (signal?.aborted === true) throw cancelled('events', signal.reason)
  }

  #open(): Promise<Reader> {
    const { content } = this.#options
    const at = `${this.#base}/events`
    const request = {
      operation: 'events',
      verb: 'GET',
      address: content === true ? `${at}?content=true` : at,
      headers: { accept: 'text/event-stream', ...(this.#last === undefined ? {} : { 'last-event-id': this.#last }) },
      signal: this.#signal,
      limitMs: this.#connection.timeoutMs,
      retries: 0,
    }
    const opened = exchanged(this.#connection, request, async (response) => {
      refuseOtherType(response, 'text/event-stream')
      const { body } = response
      if (body === null) throw unreachable('its stream is empty')
      return body.getReader()
    })
    // It is awaited when an event is asked for.
    void Promise.allSettled([opened])
    return opened
  }

  async *#eventsFrom(reader: Reader): AsyncGenerator<RemoteEvent, void> {
    const came: RemoteEvent[] = []
    const parser = createParser({
      maxBufferSize: longestEvent,
      // It tells places without events too: a stream that was quiet goes on from its last one.
      onId: (id) => {
        this.#last = id
      },
      onRetry: (ms) => {
        this.#waitMs = ms
      },
      onEvent: ({ event, id, data }) => {
        const told = id === undefined ? {} : { eventId: id }
        came.push({ ...JSON.parse(data), ...(event === undefined ? {} : { type: event }), ...told })
      },
    })
    const decoder = new TextDecoder()
    const end = (): void => void Promise.allSettled([reader.cancel()])
    this.#signal.addEventListener('abort', end, { once: true })
    try {
      for (;;) {
        const { done, value } = await inIdleTime(reader, end)
        if (done) return
        parser.feed(decoder.decode(value, { stream: true }))
        // What came with the last piece is told before another is read, so none of it is lost with the connection.
        yield* came.splice(0)
      }
    } catch (error) {
      throw unreachable('the events broke off', error)
    } finally {
      this.#signal.removeEventListener('abort', end)
      end()
    }
  }
}

async function inIdleTime(reader: Reader, end: () => void): ReturnType<Reader['read']> {
  const timer = setTimeout(end, idleMs)
  try {
    return await reader.read()
  } finally {
    clearTimeout(timer)
  }
}
