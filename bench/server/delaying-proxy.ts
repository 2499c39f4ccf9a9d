import { createServer, connect, type Server, type Socket } from 'node:net'
import { FrontendMessages } from './frontend-messages.ts'

/** What went through so far. */
export interface Passed {
  /** Times that a client sent something after the server had answered: the round trips of a client that waits. */
  readonly turns: number
  /** Statements that the server was asked to run, those of a transaction's beginning and end included. */
  readonly statements: number
}

/** The options of a proxy. */
export interface ProxyOptions {
  /** Each byte to the server is held up for so long: milliseconds added to a round trip. */
  readonly delayMs: number
  /** Is told each text that is parsed or queried. */
  readonly onText?: (text: string) => void
  /** Is awaited before a commit goes to the server; `port` is the one that the server sees. */
  readonly beforeCommit?: (port: number) => Promise<void>
}

/** A way to a server that takes longer, and counts what goes through it. */
export class DelayingProxy implements AsyncDisposable {
  readonly #listener: Server
  readonly #sockets = new Set<Socket>()
  readonly #options: ProxyOptions
  #turns = 0
  #statements = 0
  #heldMs = 0
  #held = 0

  private constructor(to: { host: string; port: number }, options: ProxyOptions) {
    this.#options = options
    this.#listener = createServer((client) => this.#join(client, connect(to)))
  }

  /** Starts a proxy on loopback to the server of an address. */
  static async start(address: string, options: ProxyOptions): Promise<DelayingProxy> {
    const { hostname, port } = new URL(address)
    const proxy = new DelayingProxy({ host: hostname, port: Number(port === '' ? 5_432 : port) }, options)
    await new Promise<void>((resolve) => proxy.#listener.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    const address = this.#listener.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#sockets.size / 2
  }

  get passed(): Passed {
    return { turns: this.#turns, statements: this.#statements }
  }

  /** The mean time that bytes were held up: timers of a busy machine come late. */
  get meanDelayMs(): number {
    return this.#heldMs / Math.max(1, this.#held)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#listener.close(() => resolve()))
  }

  #join(client: Socket, server: Socket): void {
    const messages = new FrontendMessages()
    let isAnswered = true
    let sent = Promise.resolve()
    client.on('data', (chunk: Buffer) => {
      if (isAnswered) this.#turns += 1
      isAnswered = false
      const arrived = performance.now()
      const isCommit = this.#look(messages, chunk)
      sent = sent.then(async () => {
        await this.#hold(arrived)
        if (isCommit) await this.#options.beforeCommit?.(server.localPort ?? 0)
        server.write(chunk)
      })
    })
    server.on('data', (chunk: Buffer) => {
      isAnswered = true
      client.write(chunk)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#sockets.delete(one)
        void sent.then(() => other.end())
      })
    }
  }

  /** Counts the statements of a chunk. Returns whether it has a commit. */
  #look(messages: FrontendMessages, chunk: Buffer): boolean {
    let isCommit = false
    for (const { type, text } of messages.read(chunk)) {
      if (type === 'E' || type === 'Q') this.#statements += 1
      if (text !== '') this.#options.onText?.(text)
      if ((type === 'Q' || type === 'B') && /^commit\b/i.test(text)) isCommit = true
    }
    return isCommit
  }

  async #hold(arrived: number): Promise<void> {
    const { delayMs } = this.#options
    const left = delayMs - (performance.now() - arrived)
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
    this.#heldMs += performance.now() - arrived
    this.#held += 1
  }
}
