import type { Appended } from '../storage/log/appended.ts'
import type { ValidMessage } from '../messages/validate.ts'

/** The most work that is stored as one append, in messages (see a store's `write`). */
const mostJoined = 100

/** Appends to one session whose transaction has not begun. */
interface Group {
  readonly messages: ValidMessage[]
  weight: number
  /** Resolves with the results of all messages, in their order. */
  stored: Promise<readonly Appended[]>
}

/** Stores the messages of a group. It must call `take` when its transaction begins: later appends come to the next one. */
export type StoreGroup = (take: () => readonly ValidMessage[]) => Promise<readonly Appended[]>

/**
 * Joins appends to one session that wait for the same transaction, and stores them as one: it reads the session and its
 * partition once, and writes their rows once. They are kept in the order of the calls.
 */
export class JoinedAppends {
  readonly #groups = new Map<string, Group>()

  /** Lets no further append join those that wait. */
  end(session: string): void {
    this.#groups.delete(session)
  }

  async append(session: string, batch: readonly ValidMessage[], weight: number, store: StoreGroup): Promise<readonly Appended[]> {
    const waiting = this.#groups.get(session)
    if (waiting !== undefined && waiting.weight + weight <= mostJoined) {
      const before = waiting.messages.length
      waiting.messages.push(...batch)
      waiting.weight += weight
      return (await waiting.stored).slice(before, before + batch.length)
    }
    const group: Group = { messages: [...batch], weight, stored: Promise.resolve([]) }
    this.#groups.set(session, group)
    const leave = (): void => {
      if (this.#groups.get(session) === group) this.#groups.delete(session)
    }
    group.stored = store(() => {
      leave()
      return group.messages
    })
    try {
      return (await group.stored).slice(0, batch.length)
    } finally {
      leave()
    }
  }
}
