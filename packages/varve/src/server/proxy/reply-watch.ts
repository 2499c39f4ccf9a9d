import type { IncomingHttpHeaders } from 'node:http'
import { createParser, type EventSourceParser } from 'eventsource-parser'
import { readJson } from './outside-json.ts'
import type { ReplyReader } from './wire-api.ts'

/** The largest reply that is read when it comes whole, and the longest event of a stream. */
const maxReadBytes = 8 * 1024 * 1024

/** Reads along with a reply that is passed on. It works between the pieces, so that none waits for it. */
export class ReplyWatch {
  readonly #reader: ReplyReader
  readonly #decoder = new TextDecoder()
  readonly #isStream: boolean
  #parser: EventSourceParser | undefined
  #waiting: Buffer[] = []
  #isDrainDue = false
  #whole = ''
  #isGivenUp: boolean

  constructor(reader: ReplyReader, headers: IncomingHttpHeaders) {
    this.#reader = reader
    const type = headers['content-type'] ?? ''
    this.#isStream = type.includes('text/event-stream')
    this.#isGivenUp = (headers['content-encoding'] ?? 'identity') !== 'identity' || (!this.#isStream && !type.includes('json'))
    if (!this.#isStream) return
    const onError = ({ type }: { readonly type: string }): void => {
      if (type === 'max-buffer-size-exceeded') this.#giveUp()
    }
    this.#parser = createParser({ maxBufferSize: maxReadBytes, onEvent: ({ data }) => reader.event(readJson(data)), onError })
  }

  see(piece: Buffer): void {
    if (this.#isGivenUp) return
    this.#waiting.push(piece)
    if (this.#isDrainDue) return
    this.#isDrainDue = true
    setImmediate(() => this.#drain())
  }

  /** Reads the rest. A stream that was cut has told what came so far; a whole reply that was cut tells nothing. */
  end(): void {
    this.#drain()
    if (!this.#isStream && !this.#isGivenUp) this.#tried(() => this.#reader.whole(readJson(this.#whole)))
  }

  #drain(): void {
    this.#isDrainDue = false
    for (const piece of this.#waiting.splice(0)) {
      if (this.#isGivenUp) return
      const text = this.#decoder.decode(piece, { stream: true })
      const parser = this.#parser
      if (parser !== undefined) this.#tried(() => parser.feed(text))
      else if (this.#whole.length + text.length > maxReadBytes) this.#giveUp()
      else this.#whole += text
    }
  }

  /** Reads on, or no further: whatever an upstream sends, its bytes are passed on. */
  #tried(read: () => void): void {
    try {
      read()
    } catch {
      this.#giveUp()
    }
  }

  #giveUp(): void {
    this.#isGivenUp = true
    this.#parser = undefined
    this.#whole = ''
    this.#waiting = []
  }
}
