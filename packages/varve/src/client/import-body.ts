import { invalidOption } from './remote-error.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Pieces = AsyncIterable<string | Bytes> | Iterable<string | Bytes>

/** The body of an import. */
export interface ImportBody {
  readonly body: NonNullable<RequestInit['body']>
  /** Has the error of the given lines, which the request fails with. */
  readonly told: { fault?: unknown }
}

/** Makes the body of an import. Lines in pieces are sent as they come; in a browser they are gathered first. */
export async function importBody(lines: unknown): Promise<ImportBody> {
  const told: ImportBody['told'] = {}
  if (typeof lines === 'string' || lines instanceof Uint8Array) return { body: lines, told }
  if (!isPieces(lines)) throw invalidOption('lines', lines, 'a text, bytes, or an iterable of these')
  const pieces = bytesOf(lines, told)
  // A page and a worker of a browser send a stream over HTTP/2 alone, or not at all.
  if ('from' in ReadableStream && !('document' in globalThis || 'importScripts' in globalThis))
    return { body: ReadableStream.from(pieces), told }
  const gathered: Bytes[] = []
  for await (const piece of pieces) gathered.push(piece)
  return { body: new Blob(gathered), told }
}

function isPieces(received: unknown): received is Pieces {
  return Symbol.asyncIterator in Object(received) || Symbol.iterator in Object(received)
}

async function* bytesOf(pieces: Pieces, told: ImportBody['told']): AsyncGenerator<Bytes, void> {
  const encoder = new TextEncoder()
  try {
    for await (const piece of pieces) yield typeof piece === 'string' ? encoder.encode(piece) : piece
  } catch (error) {
    told.fault = error
    throw error
  }
}
