import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { createParser, type EventSourceParser } from 'eventsource-parser'
import { fieldOf, readJson } from '../../turns/outside-json.ts'
import type { ReplyReader } from './wire-api.ts'

/** The largest reply that is read when it comes whole, and the longest event of a stream. */
const maxReadBytes = 8 * 1024 * 1024

/** The most of a packed reply that is read, unpacked. */
const maxUnpackedBytes = 64 * 1024 * 1024

/** Some upstreams pack their answer though they were asked not to. What came of one that was cut is unpacked too. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

/** Reads along with a reply that is passed on. It works between the pieces, so that none waits for it. */
export class ReplyWatch {
  /** True when the reply tells of an error, under whatever status it came. */
  hasFailed = false
  readonly #reader: ReplyReader
  readonly #decoder = new TextDecoder()
  readonly #isStream: boolean
  readonly #unpacker: Transform | undefined
  readonly #unpacked = Promise.withResolvers<void>()
  #parser: EventSourceParser | undefined
  #waiting: Buffer[] = []
  #isDrainDue = false
  #whole = ''
  #unpackedBytes = 0
  #isGivenUp: boolean

  /** `asksStream` tells what a reply is that does not say so itself. */
  constructor(reader: ReplyReader, headers: IncomingHttpHeaders, asksStream: boolean) {
    this.#reader = reader
    const type = headers['content-type']?.toLowerCase() ?? ''
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
    this.#isStream = type.includes('text/event-stream') || (asksStream && !type.includes('json'))
    this.#unpacker = Object.hasOwn(unpackers, encoding) ? unpackers[encoding]?.() : undefined
    this.#isGivenUp = (encoding !== 'identity' && this.#unpacker === undefined) || (!this.#isStream && !type.includes('json'))
    this.#unpacker?.on('data', (piece: Buffer) => this.#takeUnpacked(piece))
    // What came before the fault was read.
    this.#unpacker?.on('error', () => this.#unpacked.resolve())
    this.#unpacker?.on('close', () => this.#unpacked.resolve())
    if (!this.#isStream) return
    const onError = ({ type: fault }: { readonly type: string }): void => {
      if (fault === 'max-buffer-size-exceeded') this.#giveUp()
    }
    this.#parser = createParser({ maxBufferSize: maxReadBytes, onEvent: ({ data }) => this.#event(readJson(data)), onError })
  }

  see(piece: Buffer): void {
    if (this.#isGivenUp) return
    this.#waiting.push(piece)
    if (this.#isDrainDue) return
    this.#isDrainDue = true
    setImmediate(() => this.#drain())
  }

  /** Reads the rest. A stream that was cut has told what came so far; a whole reply that was cut tells nothing. */
  async end(): Promise<void> {
    this.#drain()
    if (this.#unpacker !== undefined && !this.#isGivenUp) {
      this.#unpacker.end()
      await this.#unpacked.promise
    }
    if (this.#isStream || this.#isGivenUp) return
    const whole = readJson(this.#whole)
    this.hasFailed = tellsFault(whole)
    this.#tried(() => this.#reader.whole(whole))
  }

  #drain(): void {
    this.#isDrainDue = false
    for (const piece of this.#waiting.splice(0)) {
      if (this.#isGivenUp) return
      if (this.#unpacker === undefined) this.#take(piece)
      else this.#unpacker.write(piece)
    }
  }

  #takeUnpacked(piece: Buffer): void {
    this.#unpackedBytes += piece.length
    if (this.#unpackedBytes > maxUnpackedBytes) this.#giveUp()
    else if (!this.#isGivenUp) this.#take(piece)
  }

  #take(piece: Buffer): void {
    const text = this.#decoder.decode(piece, { stream: true })
    const parser = this.#parser
    if (parser !== undefined) this.#tried(() => parser.feed(text))
    else if (this.#whole.length + text.length > maxReadBytes) this.#giveUp()
    else this.#whole += text
  }

  #event(data: unknown): void {
    this.hasFailed ||= tellsFault(data)
    this.#reader.event(data)
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
    this.#unpacker?.destroy()
  }
}

/** Tells whether a body or an event is an error of one of the formats. */
function tellsFault(data: unknown): boolean {
  const type = fieldOf(data, 'type')
  return type === 'error' || type === 'response.failed' || (fieldOf(data, 'error') ?? null) !== null
}
