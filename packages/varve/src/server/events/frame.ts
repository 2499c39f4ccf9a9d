const encoder = new TextEncoder()

/** The time after which a reader whose connection broke comes back: milliseconds. */
const retryMs = 2_000

/** A message of a stream of events. */
export interface EventFrame {
  readonly event: string
  readonly data: unknown
  /** The place from which a reader goes on that comes back. */
  readonly id?: string
}

/** Writes an event as lines of text/event-stream. JSON has no line break, and types and places have none either. */
export function frameBytes({ event, data, id }: EventFrame): Uint8Array {
  return encoder.encode(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** The first lines of a stream. The reader has a place from then on, even if nothing is told. */
export function openingBytes(place: string | undefined): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\n${place === undefined ? '' : `id: ${place}\n`}\n`)
}

/** A comment that keeps a quiet connection open, and the newest place: a reader takes it over without an event. */
export function keepAliveBytes(place: string | undefined): Uint8Array {
  return encoder.encode(`:\n${place === undefined ? '' : `id: ${place}\n`}\n`)
}
