import { connect, type Socket } from 'node:net'

/** An answer, as it came. */
export interface Answer {
  readonly status: number
  readonly body: string
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/**
 * A connection that stays open, for one request after the other. It reads answers whose length is told, and no others:
 * a client of full size takes 100 to 130 µs a request, and here it shares the cores with what is measured.
 */
export class KeptConnection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting | undefined

  constructor(port: number, host: string) {
    this.#socket = connect(port, host)
      .setNoDelay()
      .on('data', (piece: Buffer) => this.#take(piece))
      .on('error', (error) => this.#end(error))
      .on('close', () => this.#end(new Error('the connection was closed')))
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  send(head: string, body: string): Promise<Answer> {
    // A write to a closed socket is told to nobody.
    if (!this.isOpen) return Promise.reject(new Error('the connection was closed before the request'))
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(piece: Buffer): void {
    this.#received = this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece])
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#received.toString('latin1', 0, end)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined && !/^HTTP\/1.1 (?:204|304)/.test(head)) return this.#end(new Error('an answer does not tell its length'))
    const start = end + 4
    const whole = start + Number(length ?? 0)
    if (this.#received.length < whole) return
    const body = this.#received.toString('utf8', start, whole)
    this.#received = this.#received.subarray(whole)
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), body })
    this.#waiting = undefined
  }

  #end(error: Error): void {
    this.#waiting?.reject(error)
    this.#waiting = undefined
    this.#socket.destroy()
  }
}
