import { Agent, type IncomingMessage, request } from 'node:http'
import { KeptConnection } from './kept-connection.ts'
import type { Serving } from './tasks.ts'

/** A client of little cost. */
export class BenchClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 10_000 })
  readonly #at: { readonly hostname: string; readonly port: string }
  readonly #key: string
  readonly #idle: KeptConnection[] = []
  /** Answers by status, and requests that had none. */
  readonly told = new Map<number | 'none', number>()

  constructor({ url, key }: Serving) {
    this.#at = new URL(url)
    this.#key = key
  }

  /** Sends a request on a connection that has none under way. */
  async send(method: string, path: string, body?: object): Promise<string> {
    const { hostname, port } = this.#at
    const connection = this.#openIdle() ?? new KeptConnection(Number(port), hostname)
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${this.#key}\r\n`
    const typed = body === undefined ? '' : 'content-type: application/json\r\n'
    try {
      const answer = await connection.send(head + typed, body === undefined ? '' : JSON.stringify(body))
      this.#count(answer.status)
      return answer.body
    } catch (error) {
      this.#count('none')
      throw error
    } finally {
      if (connection.isOpen) this.#idle.push(connection)
    }
  }

  /** Opens a request whose answer goes on. */
  open(method: string, path: string): Promise<IncomingMessage> {
    const { hostname, port } = this.#at
    const headers = { authorization: `Bearer ${this.#key}` }
    return new Promise((resolve, reject) => {
      request({ hostname, port, method, path, agent: this.#agent, headers }, resolve).on('error', reject).end()
    })
  }

  /** Closes the connections that have no request under way: a server may close them at any moment. */
  dropIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.close()
  }

  close(): void {
    this.#agent.destroy()
    this.dropIdle()
  }

  #openIdle(): KeptConnection | undefined {
    while (this.#idle.at(-1)?.isOpen === false) this.#idle.pop()
    return this.#idle.pop()
  }

  #count(status: number | 'none'): void {
    this.told.set(status, (this.told.get(status) ?? 0) + 1)
  }
}
