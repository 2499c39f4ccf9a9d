import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { builtProgram } from '../built.ts'
import type { ForgetInput, MessageInput } from '../../packages/varve/src/index.ts'
import { placeOf } from '../fixtures/memory/store-files.ts'

/** The orders that another process takes. */
export type Order = { readonly user?: string; readonly project?: string } & (
  | { readonly do: 'append'; readonly session: string; readonly messages: readonly MessageInput[] }
  | { readonly do: 'recall'; readonly query: string }
  | { readonly do: 'context'; readonly session: string; readonly query: string }
  | { readonly do: 'forget'; readonly what: ForgetInput }
  | { readonly do: 'replace'; readonly id: string; readonly content: string }
  /** A method of the user's handle by its path: `['bank', 'restore']`. Lines of a list are read to the end. */
  | { readonly do: 'call'; readonly path: readonly string[]; readonly args: readonly unknown[] }
  /** A method of LangGraph's store over the user's memory. */
  | { readonly do: 'store'; readonly name: string; readonly args: readonly unknown[] }
  | { readonly do: 'upkeep' | 'close' | 'pin' | 'unpin' }
)

export type Answer = { readonly answer: unknown } | { readonly error: string }

/** A process of its own that has the store open until the test ends. */
export class OtherProcess {
  readonly #child: ChildProcess
  #settle: (answer: Answer) => void = () => undefined

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (answer: Answer) => this.#settle(answer))
    child.on('exit', (code, signal) => this.#settle({ error: `the other process ended with ${code ?? signal}` }))
  }

  static async start(store: string): Promise<OtherProcess> {
    const child = fork(builtProgram('test/e2e/other-process-child.ts'), [placeOf(store)], { execArgv: [] })
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    const other = new OtherProcess(child)
    await other.#next()
    return other
  }

  /** Sends one order at a time. */
  async tell<Result = unknown>(order: Order): Promise<Result> {
    const answered = this.#next()
    this.#child.send(order)
    // The child answers with the result of the call, as JSON.
    return (await answered) as Result
  }

  /** Calls a method of the user's handle. */
  call<Result = unknown>(path: readonly string[], ...args: readonly unknown[]): Promise<Result> {
    return this.tell<Result>({ do: 'call', path, args, project: 'pier' })
  }

  /** Calls a method of the user's LangGraph store. */
  store<Result = unknown>(name: string, ...args: readonly unknown[]): Promise<Result> {
    return this.tell<Result>({ do: 'store', name, args, project: 'pier' })
  }

  /** Kills the process at once. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }

  #next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#settle = (message) => ('error' in message ? reject(new Error(message.error)) : resolve(message.answer))
    })
  }
}
