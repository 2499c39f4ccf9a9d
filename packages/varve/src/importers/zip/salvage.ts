import { Unzip, type UnzipDecoder, type UnzipDecoderConstructor, UnzipInflate } from 'fflate'
import type { BombGuard } from './bomb.ts'

// The packed bytes that are read at a time. Deflate unpacks to at most 1,032 times its size: 8 MiB of output.
const sliceBytes = 8 * 1024

type Piece =
  | { readonly kind: 'entry'; readonly name: string }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }

/**
 * Yields the wanted entries of a zip without its directory, in the order of the file, as far as they go. Each must be
 * read to its end before the next.
 */
export async function* salvagedEntries(
  packed: AsyncIterable<Uint8Array>,
  wanted: (name: string) => boolean,
  guard: BombGuard,
): AsyncGenerator<{ readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }> {
  const pieces = piecesOf(packed, wanted, guard)
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    if (next.value.kind === 'entry') yield { name: next.value.name, bytes: dataOf(pieces) }
  }
}

async function* dataOf(pieces: AsyncGenerator<Piece>): AsyncGenerator<Uint8Array> {
  for (let next = await pieces.next(); next.done !== true && next.value.kind !== 'end'; next = await pieces.next()) {
    if (next.value.kind === 'data') yield next.value.bytes
  }
}

async function* piecesOf(packed: AsyncIterable<Uint8Array>, wanted: (name: string) => boolean, guard: BombGuard): AsyncGenerator<Piece> {
  const queue: Piece[] = []
  const unzip = new Unzip((file) => {
    const isWanted = wanted(file.name) && (file.compression === 0 || file.compression === 8)
    if (file.compression !== 0) unzip.register(isWanted ? UnzipInflate : discarding(file.compression))
    if (isWanted) queue.push({ kind: 'entry', name: file.name })
    file.ondata = (error, bytes, final) => {
      if (!isWanted) return
      if (error === null && bytes.length > 0) queue.push({ kind: 'data', bytes })
      if (error !== null || final) queue.push({ kind: 'end' })
    }
    // Started even when unwanted: fflate would keep the bytes of an unstarted file.
    file.start()
  })
  for await (const chunk of packed) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      const slice = chunk.subarray(at, at + sliceBytes)
      guard.packed(slice.length)
      unzip.push(slice)
      for (const piece of queue) if (piece.kind === 'data') guard.unpacked(piece.bytes.length)
      yield* queue.splice(0)
    }
  }
}

/** Makes a decoder of that method that yields nothing. */
function discarding(method: number): UnzipDecoderConstructor {
  return class implements UnzipDecoder {
    static compression = method
    ondata: UnzipDecoder['ondata'] = () => undefined
    push(): void {
      return undefined
    }
  }
}
