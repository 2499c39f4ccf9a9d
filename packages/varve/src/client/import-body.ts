import { shown } from '../errors/shown.ts'
import { invalidOption } from './remote-error.ts'

type Piece = string | Uint8Array<ArrayBuffer>
type Pieces = Iterable<Piece> | AsyncIterable<Piece>

/** The body of an import. */
export interface ImportBody {
  readonly body: NonNullable<RequestInit['body']>
  /** The error of the given lines, which the request fails with. */
  fault(): unknown
}

/** Tells whether this is a page or a worker of a browser: it sends a stream over HTTP/2 alone, or not at all. */
function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis
}

/** Makes the body of an import. Lines in pieces are sent as they come; in a browser they are gathered first. */
export async function importBody(lines: unknown): Promise<ImportBody> {
  if (isPiece(lines)) return { body: lines, fault: () => undefined }
  if (!isPieces(lines)) throw invalidOption('lines', shown(lines), 'the lines of an export: a text, bytes, or an iterable of these')
  if (isBrowser()) {
    const gathered: Piece[] = []
    for await (const piece of lines) gathered.push(piece)
    return { body: new Blob(gathered), fault: () => undefined }
  }
  return streamed(lines)
}

function isPiece(received: unknown): received is Piece {
  return typeof received === 'string' || received instanceof Uint8Array
}

function isPieces(received: unknown): received is Pieces {
  return typeof received === 'object' && received !== null && (Symbol.asyncIterator in received || Symbol.iterator in received)
}

function streamed(lines: Pieces): ImportBody {
  const encoder = new TextEncoder()
  const source = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]()
  let failed: unknown
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.next()
        if (done === true) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        failed = error
        throw error
      }
    },
    async cancel() {
      await source.return?.()
    },
  })
  return { body, fault: () => failed }
}
