import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { numberIn } from './read.ts'

/** The endpoint's usage so far. */
export interface EndpointUsage {
  readonly cpuMs: number
  readonly residentMb: number
  readonly requests: number
  readonly texts: number
  /** Requests for anything but embeddings. */
  readonly refused: number
}

export class Endpoint {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.url = `http://127.0.0.1:${port}/v1`
  }

  /** Starts the endpoint in a process of its own and waits until its model is loaded. */
  static async start(runtime: string): Promise<Endpoint> {
    const child = fork(join(import.meta.dirname, 'endpoint-child.ts'), [runtime], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const message = await new Promise<unknown>((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new RangeError(`the endpoint ended with ${code}`)))
    })
    return new Endpoint(child, numberIn(message, 'port'))
  }

  [Symbol.dispose](): void {
    this.#child.disconnect()
  }
}

/** Reads the endpoint's usage, from any process. */
export async function usageOf(endpoint: string): Promise<EndpointUsage> {
  const read: unknown = await (await fetch(new URL('/usage', endpoint))).json()
  return {
    cpuMs: numberIn(read, 'cpuMs'),
    residentMb: numberIn(read, 'residentMb'),
    requests: numberIn(read, 'requests'),
    texts: numberIn(read, 'texts'),
    refused: numberIn(read, 'refused'),
  }
}
