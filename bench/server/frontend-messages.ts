/** A message from a client to a PostgreSQL server (postgresql.org/docs/current/protocol-message-formats.html). */
export interface FrontendMessage {
  /** Q: a query; P: parse; E: execute; others as the protocol names them. Empty for the first one, which has no type. */
  readonly type: string
  /** The text of a query or of a statement to parse. */
  readonly text: string
}

const headerBytes = 5

/** Reads the messages of one connection from its chunks. */
export class FrontendMessages {
  #rest: Buffer = Buffer.alloc(0)
  #isBegun = false

  /** Returns the messages that end in this chunk. */
  read(chunk: Buffer): readonly FrontendMessage[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const messages: FrontendMessage[] = []
    for (let next = this.#next(); next !== undefined; next = this.#next()) messages.push(next)
    return messages
  }

  #next(): FrontendMessage | undefined {
    const typeBytes = this.#isBegun ? 1 : 0
    if (this.#rest.length < headerBytes) return undefined
    const length = this.#rest.readInt32BE(typeBytes) + typeBytes
    if (this.#rest.length < length) return undefined
    const type = this.#isBegun ? String.fromCharCode(this.#rest[0] ?? 0) : ''
    const body = this.#rest.subarray(typeBytes + 4, length)
    this.#rest = this.#rest.subarray(length)
    this.#isBegun = true
    return { type, text: textOf(type, body) }
  }
}

/** A query is one text; a statement to parse has its name before it. */
function textOf(type: string, body: Buffer): string {
  if (type !== 'Q' && type !== 'P') return ''
  const begins = type === 'Q' ? 0 : body.indexOf(0) + 1
  return body.toString('utf8', begins, body.indexOf(0, begins))
}
