import type { MessageInput } from '../messages/message.ts'
import { inTime } from './in-time.ts'
import { codeOf, type TurnFailures } from './turn-failures.ts'
import type { TurnMemory } from './turn-memory.ts'

/** The most batches of messages that wait to be stored. */
const maxWaiting = 256

/** The longest wait until messages are stored. */
const longestStoringMs = 10_000

/** Whose turn it is. */
export interface TurnPlace<Handle extends Pick<TurnMemory, 'append'> = TurnMemory> {
  readonly memory: Handle
  /** The session; without one nothing is stored. */
  readonly session: string | undefined
  /** Identifies the scope and the session. */
  readonly key: string
}

/** What was said in a turn, in order. */
export interface SaidInTurn {
  /** The person's words, with ids. They may be stored already. */
  readonly asked?: readonly MessageInput[]
  /** What came of them. It is not stored when one of the person's words was forgotten since they were stored first. */
  readonly messages: readonly MessageInput[]
  /** Tells whether everything is there that the turn was told: else `messages` are not stored either. */
  readonly stands?: () => Promise<boolean>
}

/** Stores what is said in turns: in its order within a session. */
export class TurnCaptures {
  readonly #failures: TurnFailures
  readonly #sessions = new Map<string, Promise<unknown>>()
  #waiting = 0

  constructor(failures: TurnFailures) {
    this.#failures = failures
  }

  /** Takes what was said. Resolves when it is stored, or is given up: then with the code of the failure. Never rejects. */
  async take(place: TurnPlace<Pick<TurnMemory, 'append'>>, said: SaidInTurn): Promise<string | undefined> {
    const { key } = place
    const before = this.#sessions.get(key)
    if (place.session === undefined || said.messages.length + (said.asked?.length ?? 0) === 0) {
      await before
      return undefined
    }
    if (this.#waiting >= maxWaiting) {
      this.#failures.failed('append', 'ENGINE_OVERLOADED')
      return 'ENGINE_OVERLOADED'
    }
    this.#waiting += 1
    const stored = this.#stored(before, place, said).finally(() => {
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
    { memory, session = '' }: TurnPlace<Pick<TurnMemory, 'append'>>,
    { asked = [], messages, stands = async () => true }: SaidInTurn,
  ): Promise<string | undefined> {
    await before
    // The last piece of an answer goes to the host first.
    await new Promise((resolve) => setImmediate(resolve))
    const append = (some: readonly MessageInput[]) =>
      some.length === 0 ? undefined : inTime('append', longestStoringMs, (deadlineMs) => memory.append(session, some, { deadlineMs }))
    try {
      // The store leaves out a message whose id was forgotten, and tells of it.
      const isForgotten = (await append(asked))?.forgotten !== undefined
      if (messages.length > 0 && !isForgotten && (await stands())) await append(messages)
      return undefined
    } catch (error) {
      const code = codeOf(error)
      this.#failures.failed('append', code)
      return code
    }
  }
}
