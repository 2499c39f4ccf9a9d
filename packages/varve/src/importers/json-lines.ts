import type { SkipReason } from './reasons.ts'

/** The longest line of a JSONL file that is read. A message of 1 MiB takes at most 6 MiB when every character is escaped. */
export const maxLineBytes = 8 * 1024 * 1024

export type StreamLine = { readonly kind: 'line'; readonly bytes: Uint8Array } | { readonly kind: 'too long' }

const newline = 0x0a

export type JsonLine =
  | { readonly kind: 'value'; readonly value: unknown; readonly bytes: number; readonly line: number }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly line: number }

/** Yields the values of a JSONL stream. A broken line is reported, an empty one skipped. Holds one line. */
export async function* jsonLines(bytes: AsyncIterable<Uint8Array>, maxBytes = maxLineBytes): AsyncGenerator<JsonLine> {
  const decoder = new TextDecoder()
  let number = 0
  for await (const line of streamLines(bytes, maxBytes)) {
    number += 1
    if (line.kind === 'too long') {
      yield { kind: 'skipped', reason: 'line too long', line: number }
      continue
    }
    const json = decoder.decode(line.bytes).trim()
    if (json === '') continue
    const parsed = parseLine(json)
    if (parsed === undefined) yield { kind: 'skipped', reason: 'not JSON', line: number }
    else yield { kind: 'value', value: parsed.value, bytes: line.bytes.length, line: number }
  }
}

function parseLine(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) as unknown }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Yields the lines of a stream, without their ends. Holds one line and one chunk; bytes over `maxBytes` are dropped as they come. */
export async function* streamLines(bytes: AsyncIterable<Uint8Array>, maxBytes = maxLineBytes): AsyncGenerator<StreamLine> {
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

  take(): StreamLine {
    const line: StreamLine = this.#length > this.#maxBytes ? { kind: 'too long' } : { kind: 'line', bytes: joined(this.#parts) }
    this.#parts = []
    this.#length = 0
    return line
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
}
