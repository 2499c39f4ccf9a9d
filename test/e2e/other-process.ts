import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ForgetInput, MessageInput } from '../../packages/varve/src/index.ts'

/** What another process is told to do. */
export type Order = { readonly user?: string } & (
  | { readonly do: 'append'; readonly session: string; readonly messages: readonly MessageInput[] }
  | { readonly do: 'recall'; readonly query: string }
  | { readonly do: 'context'; readonly session: string; readonly query: string }
  | { readonly do: 'forget'; readonly what: ForgetInput }
  | { readonly do: 'replace'; readonly id: string; readonly content: string }
  | { readonly do: 'upkeep' | 'close' | 'pin' | 'unpin' }
)

/** A process of its own that has the store open until the test ends. */
export class OtherProcess {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(store: string): Promise<OtherProcess> {
    const child = fork(join(import.meta.dirname, 'other-process-child.ts'), [store], { execArgv: [] })
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    const other = new OtherProcess(child)
    await other.#answer()
    return other
  }

  async tell<Answer = unknown>(order: Order): Promise<Answer> {
    this.#child.send(order)
    // The child answers with what the call gave, as JSON.
    return (await this.#answer()) as Answer
  }

  async #answer(): Promise<unknown> {
    const [message] = (await Promise.race([once(this.#child, 'message'), this.#ended()])) as [{ answer?: unknown; error?: string }]
    if (message.error !== undefined) throw new Error(message.error)
    return message.answer
  }

  async #ended(): Promise<never> {
    const [code] = (await once(this.#child, 'exit')) as [number | null]
    throw new Error(`the other process ended with ${code}`)
  }
}
