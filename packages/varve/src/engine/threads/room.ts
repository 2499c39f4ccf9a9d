import { EngineOverloaded } from '../../errors/engine-overloaded.ts'

/** The most bytes of running calls to one thread: it holds them twice, as they came and as they are stored. */
export const mostUnderWayBytes = 64 * 1024 * 1024

/**
 * The most bytes of calls that wait on the host for their turn. The texts are the caller's own until they are sent, so
 * waiting needs no second copy.
 */
export const mostWaitingBytes = 2 * 1024 * 1024 * 1024

interface Waiting {
  readonly bytes: number
  readonly enter: () => void
}

/** Admits calls to a thread by their bytes, in the order of arrival; a call over the bound goes alone. */
export class Room {
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #bytes = 0

  /**
   * Returns undefined when there is room at once; else the promise resolves when there is. Rejects with
   * EngineOverloaded when too many bytes wait already.
   */
  enter(bytes: number): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#hasRoom(bytes)) {
      this.#bytes += bytes
      return undefined
    }
    if (this.#waitingBytes + bytes > mostWaitingBytes && this.#waiting.length > 0) {
      return Promise.reject(new EngineOverloaded({ waitingBytes: this.#waitingBytes, mostBytes: mostWaitingBytes }))
    }
    this.#waitingBytes += bytes
    return new Promise((resolve) => this.#waiting.push({ bytes, enter: resolve }))
  }

  leave(bytes: number): void {
    this.#bytes -= bytes
    for (let next = this.#waiting[0]; next !== undefined && this.#hasRoom(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#waitingBytes -= next.bytes
      this.#bytes += next.bytes
      next.enter()
    }
  }

  #hasRoom(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= mostUnderWayBytes
  }
}
