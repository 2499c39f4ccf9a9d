import { ExportBroken } from '../errors/export-broken.ts'

/** The pieces of an export as they come: texts or bytes, ended anywhere. */
export type ExportPieces = string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** The longest line, in bytes: a message of 1 MiB with parts of 4 MiB, all of it escaped. */
export const mostLineBytes = 32 * 1024 * 1024

const lineFeed = 10

/** Cuts pieces into lines, without their ends. Holds one line and one piece. */
export async function* linesOfPieces(pieces: ExportPieces): AsyncGenerator<Uint8Array, void> {
  let [parts, length, number]: [Uint8Array[], number, number] = [[], 0, 1]
  const add = (part: Uint8Array): void => {
    length += part.length
    if (length > mostLineBytes) throw new ExportBroken({ line: number, reason: `it is longer than ${mostLineBytes} bytes` })
    if (part.length > 0) parts.push(part)
  }
  for await (const piece of eachPiece(pieces)) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    let from = 0
    for (let to = bytes.indexOf(lineFeed); to >= 0; to = bytes.indexOf(lineFeed, from)) {
      add(bytes.subarray(from, to))
      yield joinedParts(parts)
      ;[parts, length, number, from] = [[], 0, number + 1, to + 1]
    }
    // A copy: the giver may use its buffer again.
    add(typeof piece === 'string' ? bytes.subarray(from) : bytes.slice(from))
  }
  if (length > 0) yield joinedParts(parts)
}

async function* eachPiece(pieces: ExportPieces): AsyncGenerator<string | Uint8Array, void> {
  if (typeof pieces === 'string' || pieces instanceof Uint8Array) yield pieces
  else yield* pieces
}

function joinedParts(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
}
