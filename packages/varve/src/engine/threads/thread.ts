import type { Worker } from 'node:worker_threads'
import { EngineInterrupted } from '../../errors/engine-interrupted.ts'
import { ownReason } from '../../errors/wordless.ts'
import type { EngineTrouble } from '../engine.ts'
import { type Answering, type LineCallOptions, type Crossing, Line } from './line.ts'
import { Room } from './room.ts'
import { sizeOf } from './size-of.ts'

/** The message of a thread that begins to serve. */
export interface Begun {
  /** The stored bytes. */
  readonly bytes: number
  readonly readOnly: boolean
  readonly erasesAtOnce: boolean
  readonly longestRestMs: number
}

interface ThreadOptions {
  /** Its work, as a message names it: `writes`, `answers`, `writes layers`. */
  readonly does: string
  start(): Worker
  readonly answering: Answering
  onTrouble(trouble: EngineTrouble): void
}

/** A worker while it lives. */
interface Life {
  readonly worker: Worker
  readonly line: Line
  /** Resolves when it serves, or rejects with the reason why it cannot. */
  readonly begun: Promise<Begun>
  serves: boolean
}

/** One thread of the engine, as the host sees it. The first call starts it; after it died, the next call starts it anew. */
export class Thread {
  readonly #options: ThreadOptions
  readonly #room = new Room()
  #life: Life | undefined
  /** The number of calls that wait to be sent: new calls go after them. */
  #later = 0
  #closing = false

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  get does(): string {
    return this.#options.does
  }

  get isRunning(): boolean {
    return this.#life !== undefined
  }

  /** The number of unanswered calls. */
  get underWay(): number {
    return this.#life?.line.underWay ?? 0
  }

  /** Starts the thread if it does not run; resolves when it serves. */
  begin(): Promise<Begun> {
    return this.#alive().begun
  }

  /** Sends a call in the order of arrival: at once when the thread serves and has room. */
  call<Result>(crossing: Crossing, options: LineCallOptions = {}): Promise<Result> {
    const bytes = sizeOf(crossing.args)
    const waits = this.#room.enter(bytes)
    const life = this.#alive()
    if (waits === undefined && life.serves && this.#later === 0) return this.#sent(life, crossing, bytes, options)
    return this.#sentLater(waits, crossing, bytes, options)
  }

  /** Sends the thread a message, if it runs. */
  tell(name: string): void {
    this.#life?.line.tell(name, [])
  }

  async close(): Promise<void> {
    this.#closing = true
    const life = this.#life
    if (life === undefined) return
    // From now on it keeps the process alive, so that the wait for its end does end.
    life.worker.ref()
    try {
      await life.begun
      await life.line.call({ kind: 'thread', name: 'close', args: [], now: 0 })
    } finally {
      await life.worker.terminate()
      this.#life = undefined
    }
  }

  async #sentLater<Result>(waits: Promise<void> | undefined, crossing: Crossing, bytes: number, options: LineCallOptions): Promise<Result> {
    this.#later += 1
    try {
      await waits
      await this.#alive().begun
    } catch (error) {
      this.#later -= 1
      this.#room.leave(bytes)
      throw error
    }
    this.#later -= 1
    return this.#sent(this.#alive(), crossing, bytes, options)
  }

  async #sent<Result>(life: Life, crossing: Crossing, bytes: number, options: LineCallOptions): Promise<Result> {
    try {
      return await life.line.call<Result>(crossing, options)
    } finally {
      this.#room.leave(bytes)
    }
  }

  #alive(): Life {
    this.#life ??= this.#born()
    return this.#life
  }

  #born(): Life {
    const worker = this.#options.start()
    // Running calls keep the process alive (in-flight.ts); an idle thread does not.
    worker.unref()
    const line = new Line(worker, this.#options.answering)
    const begun = line.call<Begun>({ kind: 'thread', name: 'begin', args: [], now: 0 }).then((told) => {
      life.serves = true
      return told
    })
    const life: Life = { worker, line, begun, serves: false }
    begun.catch(() => this.#gone(life, undefined))
    worker.on('error', (error) => this.#gone(life, ownReason(error), { cause: error }))
    worker.on('exit', (code) => this.#gone(life, `exit code ${code}`))
    return life
  }

  /** Rejects the running calls of a thread that died; the next call starts a new one. */
  #gone(life: Life, reason: string | undefined, options?: ErrorOptions): void {
    if (this.#life !== life) return
    this.#life = undefined
    if (reason === undefined) void life.worker.terminate()
    const { does } = this.#options
    life.line.fail(new EngineInterrupted({ thread: does, reason: reason ?? 'it could not begin' }, options))
    if (reason !== undefined && !this.#closing) this.#options.onTrouble({ thread: does, reason })
  }
}
