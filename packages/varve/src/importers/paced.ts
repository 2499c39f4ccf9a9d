import { setImmediate } from 'node:timers/promises'

/** What is parsed between two turns of the event loop: 1 to 2 ms of JSON on a shared CPU. */
export const sliceBytes = 32 * 1024

/** The same bytes in slices, with a turn of the event loop before each: an import does not block its host. */
export async function* paced(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      await setImmediate()
      yield chunk.subarray(at, at + sliceBytes)
    }
  }
}
