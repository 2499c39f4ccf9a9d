import { ModelFailed } from '../../errors/model-failed.ts'

/** The most calls that wait for one provider: with more, some caller does not wait for its answers. */
const maxWaiting = 256

type Priority = 'query' | 'background'

interface Waiting {
  readonly priority: Priority
  readonly go: () => void
}

/** Requests to one provider: one at a time, queries before waiting background work. */
export class Lane {
  readonly #model: string
  readonly #waiting: Waiting[] = []
  #isBusy = false

  constructor(model: string) {
    this.#model = model
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Runs the work when its turn comes. Rejects with the signal's reason when that comes first. */
  async run<Result>(priority: Priority, signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    signal?.throwIfAborted()
    if (this.#isBusy) await this.#turn(priority, signal)
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#passOn()
    }
  }

  /** Resolves when the call before hands the lane over: the lane stays busy between the two. */
  #turn(priority: Priority, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.length >= maxWaiting) {
      const reason = `${maxWaiting} calls wait for it already`
      return Promise.reject(new ModelFailed({ model: this.#model, reason, isRetryable: true }))
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(entry), 1)
      reject(signal?.reason)
    }
    const go = (): void => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    const entry: Waiting = { priority, go }
    signal?.addEventListener('abort', leave, { once: true })
    this.#waiting.push(entry)
    return promise
  }

  #passOn(): void {
    const query = this.#waiting.findIndex(({ priority }) => priority === 'query')
    const [next] = this.#waiting.splice(Math.max(query, 0), 1)
    this.#isBusy = next !== undefined
    next?.go()
  }
}
