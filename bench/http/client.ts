import { Agent, type IncomingMessage, request } from 'node:http'
import type { Serving } from './tasks.ts'

/** A client of little cost: it keeps its connections, and reads each answer to its end. */
export class BenchClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2_000 })
  readonly #at: { readonly hostname: string; readonly port: string }
  readonly #key: string
  /** Answers by status, and requests that had none. */
  readonly told = new Map<number | 'none', number>()

  constructor({ url, key }: Serving) {
    this.#at = new URL(url)
    this.#key = key
  }

  async send(method: string, path: string, body?: object): Promise<string> {
    const text = body === undefined ? '' : JSON.stringify(body)
    try {
      const response = await this.open(method, path, text)
      let answer = ''
      response.setEncoding('utf8')
      for await (const piece of response) answer += piece
      this.#count(response.statusCode ?? 0)
      return answer
    } catch (error) {
      this.#count('none')
      throw error
    }
  }

  open(method: string, path: string, text = ''): Promise<IncomingMessage> {
    const { hostname, port } = this.#at
    const typed = text === '' ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${this.#key}`, ...typed }
      request({ hostname, port, method, path, agent: this.#agent, headers }, resolve).on('error', reject).end(text)
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  #count(status: number | 'none'): void {
    this.told.set(status, (this.told.get(status) ?? 0) + 1)
  }
}
