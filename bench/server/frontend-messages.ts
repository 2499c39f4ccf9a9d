/** A message from a client to a PostgreSQL server (postgresql.org/docs/current/protocol-message-formats.html). */
export interface FrontendMessage {
  /** Q: a query; P: parse; E: execute; others as the protocol names them. Empty for the first one, which has no type. */
  readonly type: string
  /** The text of a query, of a statement to parse, or of one that is bound to values. */
  readonly text: string
}

const headerBytes = 5

/** Reads the messages of one connection from its chunks. */
export class FrontendMessages {
  #rest: Buffer = Buffer.alloc(0)
  #isBegun = false
  readonly #prepared = new Map<string, string>()

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
    return { type, text: this.#textOf(type, body) }
  }

  /** A query is one text; a statement to parse has its name before it; a bind has the names of a portal and a statement. */
  #textOf(type: string, body: Buffer): string {
    if (type === 'Q') return textAt(body, 0)
    if (type === 'B') return this.#prepared.get(textAt(body, body.indexOf(0) + 1)) ?? ''
    if (type !== 'P') return ''
    const text = textAt(body, body.indexOf(0) + 1)
    this.#prepared.set(textAt(body, 0), text)
    return text
  }
}

function textAt(body: Buffer, begins: number): string {
  return body.toString('utf8', begins, body.indexOf(0, begins))
}
