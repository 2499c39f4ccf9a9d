import { endsConnection } from './classify.ts'

/** The servers of a store. One serves; where it is lost, the next one of the list is tried. */
export class Hosts {
  readonly #urls: readonly [string, ...string[]]
  #place = 0

  constructor(urls: readonly [string, ...string[]]) {
    this.#urls = urls
  }

  get count(): number {
    return this.#urls.length
  }

  get current(): string {
    return this.#urls[this.#place] ?? this.#urls[0]
  }

  /** Does something at the server that serves, and at each other one when that is lost or takes no writes. */
  async at<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let left = this.count; ; left -= 1) {
      const tried = this.current
      try {
        return await work()
      } catch (error) {
        if (!endsConnection(error)) throw error
        this.#leave(tried)
        if (left <= 1) throw error
      }
    }
  }

  /** Of those who lost a server together, one goes on to the next: the others follow. */
  #leave(url: string): void {
    if (this.current === url) this.#place = (this.#place + 1) % this.count
  }
}
