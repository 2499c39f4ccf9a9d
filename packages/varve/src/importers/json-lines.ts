/** The longest line of a JSONL file that is read: a message of 1 MiB takes at most 6 MiB when every character is escaped. */
export const maxLineBytes = 8 * 1024 * 1024

export type Line = { readonly kind: 'line'; readonly bytes: Uint8Array } | { readonly kind: 'too long' }

const newline = 0x0a

/** The lines of a stream, without their ends. Holds one line and one chunk; what is over `maxBytes` is dropped as it comes. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>, maxBytes = maxLineBytes): AsyncGenerator<Line> {
  const line = new LineBuffer(maxBytes)
  for await (const chunk of bytes) {
    let from = 0
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      line.add(chunk.subarray(from, to))
      yield line.take()
      from = to + 1
    }
    line.add(chunk.subarray(from))
  }
  yield line.take()
}

class LineBuffer {
  readonly #maxBytes: number
  #parts: Uint8Array[] = []
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(part: Uint8Array): void {
    this.#length += part.length
    if (this.#length > this.#maxBytes) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  take(): Line {
    const line: Line = this.#length > this.#maxBytes ? { kind: 'too long' } : { kind: 'line', bytes: joined(this.#parts) }
    this.#parts = []
    this.#length = 0
    return line
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
}
