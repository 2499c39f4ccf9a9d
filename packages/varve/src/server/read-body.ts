import type { IncomingMessage } from 'node:http'
import { Cancelled } from '../errors/cancelled.ts'
import { InvalidRequest } from '../errors/invalid-request.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A request, and Node's own of it: reading that one costs half. */
export interface BodySource {
  readonly request: Request
  readonly incoming: IncomingMessage | undefined
}

/** The pieces of a plain body, as they come. */
export async function* bodyPieces(source: BodySource, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  refuseLength(source.request, maxBytes)
  refuseEncoding(source.request)
  yield* piecesWithin(source, maxBytes)
}

/** Reads a body whole, as it was sent. InvalidRequest of 413 for one that is too large. */
export async function bodyBytes(source: BodySource, maxBytes: number): Promise<Buffer> {
  refuseLength(source.request, maxBytes)
  const pieces: Uint8Array[] = []
  for await (const piece of piecesWithin(source, maxBytes)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* piecesWithin({ request, incoming }: BodySource, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  let bytes = 0
  try {
    // A body that is refused halfway stays open: the rest is read and dropped after the answer, within bounds (`rest-of-body.ts`).
    // To destroy it would leave its connection open with bytes that nobody reads, and the next request on it without an answer.
    for await (const piece of incoming?.iterator({ destroyOnReturn: false }) ?? request.body ?? []) {
      const part: Uint8Array = piece
      bytes += part.byteLength
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      yield part
    }
  } catch (error) {
    // The caller left: no fault of the server's, and nothing for its log of errors.
    if (incoming !== undefined && error === incoming.errored) throw new Cancelled({ operation: 'the request' }, { cause: error })
    throw error
  }
}

/** Reads a body of text. Its size is refused before it is read where it is told, and as it is read where it is not. */
export async function bodyText(source: BodySource, maxBytes: number): Promise<string> {
  refuseEncoding(source.request)
  const bytes = await bodyBytes(source, maxBytes)
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new InvalidRequest({ status: 400, reason: 'its body is not UTF-8' }, { cause })
  }
}

function refuseLength({ headers }: Request, maxBytes: number): void {
  const told = headers.get('content-length')
  if (told !== null && Number(told) > maxBytes) throw tooLarge(maxBytes)
}

function refuseEncoding({ headers }: Request): void {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity')
    throw new InvalidRequest({ status: 415, reason: 'its body is compressed, and the server reads plain ones alone' })
}

function tooLarge(maxBytes: number): InvalidRequest {
  return new InvalidRequest({ status: 413, reason: `its body is over ${maxBytes} bytes` })
}

/** Refuses a body of another type. A page of another site can send only a few types without being asked for leave. */
export function refuseType({ headers }: Request, wanted: readonly string[]): void {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!wanted.includes(type)) throw new InvalidRequest({ status: 415, reason: `its content-type must be ${wanted.join(' or ')}` })
}
