/** Returns the first bytes of a stream (fewer at its end), and the same stream from its start. Holds `count` bytes and one chunk. */
export async function peek(
  bytes: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ readonly head: Uint8Array; readonly bytes: AsyncIterableIterator<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  let length = 0
  while (length < count) {
    const next = await iterator.next()
    if (next.done === true) break
    read.push(next.value)
    length += next.value.length
  }
  return { head: Buffer.concat(read).subarray(0, count), bytes: resumed(read, iterator) }
}

// Not a generator: `return` of an unstarted generator would leave the file open.
function resumed(read: Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  return {
    async next() {
      const value = read.shift()
      return value === undefined ? await iterator.next() : { done: false, value }
    },
    async return() {
      read.length = 0
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Returns the first byte of a text that is neither white space nor part of a byte order mark. */
export function firstByte(head: Uint8Array): number | undefined {
  return head.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
}
