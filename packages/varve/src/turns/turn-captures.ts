import type { MessageInput } from '../messages/message.ts'
import { keepTurn, type TurnFailed } from './keep-turn.ts'
import type { TurnMemory } from './turn-memory.ts'

/** The most batches of messages that wait to be stored. */
const maxWaiting = 256

/** Stores the messages of turns behind the host's back: in their order within a session, and never in its way. */
export class TurnCaptures {
  readonly #failed: TurnFailed
  readonly #sessions = new Map<string, Promise<unknown>>()
  #waiting = 0

  constructor(failed: TurnFailed) {
    this.#failed = failed
  }

  /** Takes messages of a session, which `key` identifies. Resolves when they are stored or given up, and never rejects. */
  take(memory: Pick<TurnMemory, 'append'>, key: string, session: string, messages: readonly MessageInput[]): Promise<void> {
    if (messages.length === 0) return this.#sessions.get(key)?.then(() => undefined) ?? Promise.resolve()
    if (this.#waiting >= maxWaiting) {
      this.#failed('append', 'ENGINE_OVERLOADED')
      return Promise.resolve()
    }
    this.#waiting += 1
    const stored = this.#stored(this.#sessions.get(key), memory, session, messages).finally(() => {
      this.#waiting -= 1
      if (this.#sessions.get(key) === stored) this.#sessions.delete(key)
    })
    this.#sessions.set(key, stored)
    return stored
  }

  /** Resolves when nothing waits to be stored. */
  async settled(): Promise<void> {
    while (this.#sessions.size > 0) await Promise.all(this.#sessions.values())
  }

  async #stored(
    before: Promise<unknown> | undefined,
    memory: Pick<TurnMemory, 'append'>,
    session: string,
    messages: readonly MessageInput[],
  ): Promise<void> {
    await before
    // The last piece of an answer goes to the host first.
    await new Promise((resolve) => setImmediate(resolve))
    await keepTurn(memory, { session, messages }, this.#failed)
  }
}
