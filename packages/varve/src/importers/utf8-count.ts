const replacement = Buffer.from('\ufffd')

/** Counts the characters that decoding puts in the place of bytes that are no UTF-8. Holds one chunk. */
export class Utf8Count {
  readonly #decoder = new TextDecoder()
  #carried: Uint8Array = new Uint8Array()
  #replaced = 0

  /** Passes a stream on, and counts. */
  counted(bytes: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
    const iterator = bytes[Symbol.asyncIterator]()
    // Not a generator: `return` of an unstarted generator would leave the file open.
    return {
      next: async () => {
        const next = await iterator.next()
        if (next.done === true) this.#replaced += occurrences(this.#decoder.decode())
        else this.#take(next.value)
        return next
      },
      return: async () => {
        await iterator.return?.()
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  get replaced(): number {
    return this.#replaced
  }

  // A file may hold the replacing character itself, maybe cut by the end of a chunk.
  #take(chunk: Uint8Array): void {
    this.#replaced += occurrences(this.#decoder.decode(chunk, { stream: true }))
    const joined = Buffer.concat([this.#carried, chunk])
    for (let at = joined.indexOf(replacement); at >= 0; at = joined.indexOf(replacement, at + replacement.length)) this.#replaced -= 1
    this.#carried = joined.subarray(-(replacement.length - 1))
  }
}

function occurrences(text: string): number {
  let count = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count += 1
  return count
}
