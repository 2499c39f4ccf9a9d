import type { Transferable } from 'node:worker_threads'
import type { Kind } from '../engine.ts'
import { fromWire, toWire, type WireError } from '../../errors/wire.ts'
import { Cut } from '../cut.ts'

/** An end of a channel between threads: a MessagePort, or a Worker. */
export interface LinePort {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void
  on(event: 'message', listener: (message: Message | readonly Message[]) => void): unknown
}

/** A call as it crosses between threads. */
export interface Crossing {
  readonly kind: Kind | 'thread' | 'host' | 'import'
  readonly name: string
  readonly args: readonly unknown[]
  /** The caller's time: UTC milliseconds. */
  readonly now: number
}

/** A call as it arrives: only the named function knows the types of its arguments. */
export interface Arrived extends Crossing {
  readonly args: readonly never[]
}

/** The messages of a port: the other end sends no others. */
type Message =
  | ({ readonly call: number } & Arrived)
  | { readonly answer: number; readonly result: never }
  | { readonly answer: number; readonly error: WireError }
  | { readonly cancel: number }
  | { readonly told: string; readonly args: readonly never[] }

/** The handlers of calls from the other end. */
export interface Answering {
  answer(arrived: Arrived, cut: Cut): Promise<unknown>
  /** Handles a message that needs no answer. */
  told?(name: string, args: readonly never[]): void
}

interface Pending {
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

export interface LineCallOptions {
  /** Tells the other end to end early; its answer still counts. */
  readonly signal?: AbortSignal | undefined
  readonly transfer?: readonly Transferable[]
  /** True when the call may cross together with others of this turn: only for arguments that nobody changes until then. */
  readonly isGathered?: boolean
}

/** A message that waits to cross with others, and the handler for one that cannot cross. */
interface Outgoing {
  readonly message: object
  readonly failed: (error: unknown) => void
}

/** The messages that cross at once, while more come. Over HTTP, 64 appends at once took a tenth longer with 4, and with 64. */
const mostGathered = 16

/** Calls to and from another thread. Arguments and results are copied; errors keep their class. */
export class Line {
  readonly #port: LinePort
  readonly #answering: Answering
  readonly #pending = new Map<number, Pending>()
  readonly #running = new Map<number, Cut>()
  readonly #outbox: Outgoing[] = []
  #lastId = 0

  constructor(port: LinePort, answering: Answering = { answer: () => Promise.reject(new TypeError('nobody answers here')) }) {
    this.#port = port
    this.#answering = answering
    port.on('message', (message) => this.#receive(message))
  }

  /** Answers the messages of a port. */
  static on(port: LinePort, answering: Answering): Line {
    return new Line(port, answering)
  }

  /** The number of unanswered calls. */
  get underWay(): number {
    return this.#pending.size
  }

  call<Result>({ kind, name, args, now }: Crossing, { signal, transfer = [], isGathered = false }: LineCallOptions = {}): Promise<Result> {
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const message = { call: id, kind, name, args, now }
    this.#pending.set(id, { resolve, reject })
    const failed = (error: unknown): void => {
      this.#pending.delete(id)
      reject(error)
    }
    if (isGathered) this.#gather({ message, failed })
    else this.#post({ message, failed }, transfer)
    if (signal === undefined) return promise
    const cancel = (): void => this.#say({ cancel: id })
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
    return promise.finally(() => signal.removeEventListener('abort', cancel))
  }

  /** Sends a message that needs no answer. */
  tell(name: string, args: readonly unknown[]): void {
    this.#say({ told: name, args })
  }

  /** Rejects all unanswered calls: the other end is gone. */
  fail(error: Error): void {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of pending) reject(error)
    for (const running of this.#running.values()) running.abort()
  }

  /** Sends a message after all messages before it. */
  #say(message: object): void {
    this.#sendGathered()
    this.#port.postMessage(message)
  }

  #post({ message, failed }: Outgoing, transfer: readonly Transferable[] = []): void {
    this.#sendGathered()
    try {
      this.#port.postMessage(message, transfer)
    } catch (error) {
      failed(error)
    }
  }

  /**
   * Gathers messages until the event loop has read what came. A message costs both threads some 15 µs, however short it
   * is, and calls that arrive together share a commit; a server's come one by one, in turns of their own. But the other
   * end must not stand idle meanwhile.
   */
  #gather(outgoing: Outgoing): void {
    const count = this.#outbox.push(outgoing)
    if (count >= mostGathered) this.#sendGathered()
    else if (count === 1) setImmediate(() => this.#sendGathered())
  }

  #sendGathered(): void {
    const gathered = this.#outbox.splice(0)
    if (gathered.length === 0) return
    try {
      this.#port.postMessage(gathered.map(({ message }) => message))
    } catch {
      // One of them cannot be cloned: it fails alone.
      for (const outgoing of gathered) this.#post(outgoing)
    }
  }

  #receive(received: Message | readonly Message[]): void {
    if (isList(received)) for (const message of received) this.#receiveOne(message)
    else this.#receiveOne(received)
  }

  #receiveOne(message: Message): void {
    if ('answer' in message) this.#settle(message)
    else if ('call' in message) void this.#answer(message.call, message)
    else if ('cancel' in message) this.#running.get(message.cancel)?.abort()
    else this.#answering.told?.(message.told, message.args)
  }

  #settle(message: Extract<Message, { answer: number }>): void {
    const pending = this.#pending.get(message.answer)
    this.#pending.delete(message.answer)
    if ('error' in message) pending?.reject(fromWire(message.error))
    else pending?.resolve(message.result)
  }

  async #answer(id: number, arrived: Arrived): Promise<void> {
    const cut = new Cut()
    this.#running.set(id, cut)
    try {
      const result = await this.#answering.answer(arrived, cut)
      this.#gather({ message: { answer: id, result }, failed: (error) => this.#fail(id, error) })
    } catch (error) {
      this.#fail(id, error)
    } finally {
      this.#running.delete(id)
    }
  }

  #fail(id: number, error: unknown): void {
    this.#say({ answer: id, error: toWire(error) })
  }
}

function isList(received: Message | readonly Message[]): received is readonly Message[] {
  return Array.isArray(received)
}
