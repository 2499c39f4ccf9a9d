/** An event in this process's memory. It never carries the words of a message. `at` is UTC milliseconds. */
export type MemoryEvent =
  | {
      readonly type: 'appended'
      readonly at: number
      readonly project: string
      readonly user?: string
      readonly session: string
      readonly messages: number
      readonly duplicates: number
    }
  | { readonly type: 'replaced'; readonly at: number; readonly project: string; readonly user?: string; readonly message: string }
  | {
      readonly type: 'recalled'
      readonly at: number
      readonly project: string
      readonly user?: string
      readonly hits: number
      readonly ms: number
    }
  | {
      readonly type: 'context'
      readonly at: number
      readonly project: string
      readonly user?: string
      readonly id: string
      readonly tokens: number
      readonly ms: number
    }
  | {
      readonly type: 'compacted'
      readonly at: number
      readonly project: string
      readonly user?: string
      readonly session: string
      readonly messages: number
      readonly kept: number
      readonly tokens: number
      readonly ms: number
    }
  | {
      readonly type: 'forgotten'
      readonly at: number
      readonly project: string
      readonly user?: string
      readonly receipt: string
      readonly counts: Readonly<Record<string, number>>
    }
  /** A backup has so many bytes written, of about so many. */
  | { readonly type: 'backing-up'; readonly at: number; readonly bytes: number; readonly totalBytes: number }
  | { readonly type: 'erased'; readonly at: number; readonly receipts: number }
  | {
      readonly type: 'distilled'
      readonly at: number
      readonly project: string
      readonly session: string
      readonly messages: number
      readonly layers: readonly string[]
      readonly provisional: boolean
    }
  | {
      /** A person asked to forget something: `pendingForget.list()` shows what waits. It may come again when the session is read anew. */
      readonly type: 'forget-asked'
      readonly at: number
      readonly project: string
      readonly user?: string
      readonly session: string
      readonly requests: number
    }
  | { readonly type: 'digested'; readonly at: number; readonly project: string; readonly digests: number }
  | {
      readonly type: 'noted'
      readonly at: number
      readonly project: string
      readonly session: string
      readonly revision: number
      readonly messages: number
    }
  | { readonly type: 'documented'; readonly at: number; readonly project: string; readonly documents: number; readonly facts: number }
  | { readonly type: 'notice'; readonly at: number; readonly message: string }
  | { readonly type: 'warning'; readonly at: number; readonly code: string; readonly message: string }

/** The most events that wait for a slow listener; older ones are dropped, and counted. */
export const maxWaitingEvents = 1_000

/** Hands events to any number of listeners. A slow one costs a bounded buffer and delays nobody. */
export class EventHub {
  readonly #listeners = new Set<Listener>()
  #closed = false

  emit(event: MemoryEvent): void {
    for (const listener of this.#listeners) listener.push(event)
  }

  /** Yields events from now on, until the memory is closed or the loop is left. */
  listen(): AsyncIterableIterator<MemoryEvent> {
    const listener = new Listener(() => this.#listeners.delete(listener))
    if (this.#closed) listener.end()
    else this.#listeners.add(listener)
    return listener
  }

  close(): void {
    this.#closed = true
    for (const listener of [...this.#listeners]) listener.end()
  }
}

class Listener implements AsyncIterableIterator<MemoryEvent> {
  readonly #onEnd: () => void
  readonly #waiting: MemoryEvent[] = []
  readonly #asking: ((result: IteratorResult<MemoryEvent>) => void)[] = []
  #ended = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  push(event: MemoryEvent): void {
    const asking = this.#asking.shift()
    if (asking !== undefined) {
      asking({ value: event, done: false })
      return
    }
    if (this.#waiting.length >= maxWaitingEvents) this.#waiting.shift()
    this.#waiting.push(event)
  }

  end(): void {
    this.#ended = true
    this.#onEnd()
    for (const asking of this.#asking.splice(0)) asking({ value: undefined, done: true })
  }

  next(): Promise<IteratorResult<MemoryEvent>> {
    const event = this.#waiting.shift()
    if (event !== undefined) return Promise.resolve({ value: event, done: false })
    if (this.#ended) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => this.#asking.push(resolve))
  }

  return(): Promise<IteratorResult<MemoryEvent>> {
    this.end()
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
