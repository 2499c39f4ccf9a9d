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
  /** What the turn began with, with ids: the person's words. They may be stored already. */
  readonly asked?: readonly MessageInput[]
  /** What came of it. It is not stored when some of it was forgotten since it was stored first. */
  readonly messages: readonly MessageInput[]
  /** Tells whether everything is there that the turn was told: else `messages` are not stored either. */
  readonly stands?: () => Promise<boolean>
}

/** What became of messages. */
export interface StoredTurn {
  /** Why they were given up. */
  readonly failure?: string
  /** The ids of those that were forgotten, and are left out. */
  readonly forgotten: readonly string[]
}

/** Stores what is said in turns: in its order within a session. */
export class TurnCaptures {
  readonly #failures: TurnFailures
  readonly #sessions = new Map<string, Promise<unknown>>()
  #waiting = 0

  constructor(failures: TurnFailures) {
    this.#failures = failures
  }

  /** Takes what was said. Resolves when it is stored, or is given up. Never rejects. */
  async take(place: TurnPlace<Pick<TurnMemory, 'append'>>, said: SaidInTurn): Promise<StoredTurn> {
    const { key } = place
    const before = this.#sessions.get(key)
    if (place.session === undefined || said.messages.length + (said.asked?.length ?? 0) === 0) {
      await before
      return { forgotten: [] }
    }
    if (this.#waiting >= maxWaiting) {
      this.#failures.failed('append', 'ENGINE_OVERLOADED')
      return { failure: 'ENGINE_OVERLOADED', forgotten: [] }
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
  ): Promise<StoredTurn> {
    await before
    // The last piece of an answer goes to the host first.
    await new Promise((resolve) => setImmediate(resolve))
    // The store leaves out a message whose id was forgotten, and tells of it.
    const append = async (some: readonly MessageInput[]): Promise<readonly string[]> => {
      if (some.length === 0) return []
      const { forgotten = [] } = await inTime('append', longestStoringMs, (deadlineMs) => memory.append(session, some, { deadlineMs }))
      return forgotten
    }
    try {
      const forgotten = await append(asked)
      if (messages.length === 0 || forgotten.length > 0 || !(await stands())) return { forgotten }
      return { forgotten: await append(messages) }
    } catch (error) {
      const failure = codeOf(error)
      this.#failures.failed('append', failure)
      return { failure, forgotten: [] }
    }
  }
}
