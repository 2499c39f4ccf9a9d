import { EngineOverloaded } from '../../errors/engine-overloaded.ts'

/** What may be under way to one thread, in bytes: it stands there twice, as it came and as it is stored. */
export const mostUnderWayBytes = 64 * 1024 * 1024

/** What may wait on the host for its turn. The texts are the caller's own until they are sent, so this costs no second copy. */
export const mostWaitingBytes = 2 * 1024 * 1024 * 1024

interface Waiting {
  readonly bytes: number
  readonly enter: () => void
}

/** Lets calls to a thread in by their bytes, in the order in which they came; a call over the bound goes alone. */
export class Room {
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #bytes = 0

  /** Undefined when there is room at once; else resolves when there is. EngineOverloaded when too much waits already. */
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
