import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { BenchClient } from './client.ts'
import type { Serving, Taken, Task } from './tasks.ts'

/** Asks the process that has the memory. */
export type Ask = (task: Task) => Promise<Taken>

/** The time that the process has to end by itself. */
const endingMs = 20_000

/** A process that serves a memory, and a client of it. */
export class ServingChild {
  readonly client: BenchClient
  readonly serving: Serving
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, serving: Serving) {
    this.#child = child
    this.serving = serving
    this.client = new BenchClient(serving)
  }

  /** Starts the process and waits until it listens. Its working folder is the scratch folder, if there is one. */
  static async start(script: string, args: readonly string[], env = process.env, cwd?: string): Promise<ServingChild> {
    const child = fork(script, args, { env, execArgv: ['--expose-gc'], ...(cwd === undefined ? {} : { cwd }) })
    return new ServingChild(child, JSON.parse(await nextWord(child)))
  }

  readonly ask: Ask = async (task) => {
    this.#child.send(JSON.stringify(task))
    return JSON.parse(await nextWord(this.#child))
  }

  /** Ends the process, by force if it has not ended in time. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close()
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    const force = setTimeout(() => child.kill('SIGKILL'), endingMs)
    if (child.connected) child.send(JSON.stringify({ do: 'end' } satisfies Task))
    await ended
    clearTimeout(force)
  }
}

function nextWord(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      child.off('message', onMessage)
      reject(new RangeError(`the process that serves ended with ${code}`))
    }
    const onMessage = (word: unknown): void => {
      child.off('exit', onExit)
      resolve(String(word))
    }
    child.once('message', onMessage).once('exit', onExit)
  })
}
