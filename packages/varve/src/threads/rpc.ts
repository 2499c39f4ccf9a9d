import type { MessagePort, Worker } from 'node:worker_threads'
import { StoreFailed } from '../errors/store-failed.ts'
import { fromWire, toWire, type WireError } from '../errors/wire.ts'

/** What a thread offers: functions with serialisable arguments and results. */
export type Service = Readonly<Record<string, (...args: never[]) => unknown>>

/** The same functions, called from another thread. */
export type Remote<Offered extends Service> = {
  readonly [Name in keyof Offered]: (...args: Parameters<Offered[Name]>) => Promise<Awaited<ReturnType<Offered[Name]>>>
}

interface Call {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

type Answer = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: WireError }

/** Answers the calls that come through a port. */
export function serve(port: MessagePort, service: Service): void {
  port.on('message', (call: Call) => {
    void answer(service, call).then((message) => port.postMessage(message))
  })
}

async function answer(service: Service, { id, name, args }: Call): Promise<Answer> {
  try {
    const offered = service[name]
    if (offered === undefined) throw new TypeError(`this thread has no ${name}`)
    // The caller's type is this very service's, so the arguments fit.
    return { id, result: await offered(...(args as never[])) }
  } catch (error) {
    return { id, error: toWire(error) }
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Calls into a worker. While calls are open the worker keeps the process alive; idle, it does not. */
export class Caller {
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #onIdle: (() => void)[] = []
  #lastId = 0
  #dead: Error | undefined
  /** Whether the thread is being ended: from then on it keeps the process alive, so that waiting for its end does end. */
  #ending = false

  /** `ended` makes the error with which calls fail once the thread is gone, given why it went. */
  constructor(worker: Worker, ended: (why: string, options?: ErrorOptions) => Error = storeEnded) {
    this.#worker = worker
    worker.on('message', (message: Answer) => this.#settle(message))
    worker.on('error', (cause) => this.#fail(ended(cause.message, { cause })))
    worker.on('exit', (code) => this.#fail(ended(`exit code ${code}`)))
  }

  /** Lets the thread begin; resolves when it serves, or rejects with why it cannot. */
  begin(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending.set(0, { resolve, reject })
      this.#worker.postMessage('begin')
    })
  }

  call(name: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#dead !== undefined) return Promise.reject(this.#dead)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      // First, since it throws when an argument cannot be cloned: then nothing is under way.
      this.#worker.postMessage({ id, name, args } satisfies Call)
      if (this.#pending.size === 0) this.#worker.ref()
      this.#pending.set(id, { resolve, reject })
    })
  }

  /** Resolves when no call is under way. */
  idle(): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#onIdle.push(resolve))
  }

  async end(): Promise<void> {
    this.#ending = true
    this.#worker.ref()
    await this.#worker.terminate()
  }

  #settle(message: Answer): void {
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (this.#pending.size === 0) this.#becomeIdle()
    if ('error' in message) pending?.reject(fromWire(message.error))
    else pending?.resolve(message.result)
  }

  #becomeIdle(): void {
    if (!this.#ending) this.#worker.unref()
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  #fail(error: Error): void {
    this.#dead ??= error
    for (const { reject } of this.#pending.values()) reject(this.#dead)
    this.#pending.clear()
    this.#becomeIdle()
  }
}

/** Calls into a worker that is started with the first one. */
export class LateCaller {
  readonly #start: () => Caller
  #caller: Caller | undefined
  #begun: Promise<unknown> | undefined

  constructor(start: () => Caller) {
    this.#start = start
  }

  /** The worker, if it was ever needed. */
  get started(): readonly Caller[] {
    return this.#caller === undefined ? [] : [this.#caller]
  }

  async call(name: string, args: readonly unknown[]): Promise<unknown> {
    const caller = (this.#caller ??= this.#start())
    this.#begun ??= caller.begin()
    await this.#begun
    return caller.call(name, args)
  }
}

/** One of ours, so that recall and context fail open when their thread is gone. */
function storeEnded(why: string, options?: ErrorOptions): StoreFailed {
  return new StoreFailed({ operation: 'a call to its thread', reason: `the thread has ended (${why}); close this memory and open it again` }, options)
}

/** A worker's service as if it were here. */
export function remote<Offered extends Service>(caller: Pick<Caller, 'call'>): Remote<Offered> {
  // Every name becomes a call: the type says which there are.
  return new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => caller.call(String(name), args)) }) as Remote<Offered>
}
