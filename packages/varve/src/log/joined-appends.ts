import type { Appended } from '../storage/log/messages.ts'
import type { ValidMessage } from '../messages/validate.ts'

/** The most messages that are stored as one append. */
const mostJoined = 100

/** Appends to one session whose transaction has not begun. */
interface Group {
  readonly messages: ValidMessage[]
  characters: number
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
  readonly #mostCharacters: number

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters
  }

  async append(session: string, batch: readonly ValidMessage[], characters: number, store: StoreGroup): Promise<readonly Appended[]> {
    const waiting = this.#groups.get(session)
    if (waiting !== undefined && this.#fits(waiting, batch, characters)) {
      const before = waiting.messages.length
      waiting.messages.push(...batch)
      waiting.characters += characters
      return (await waiting.stored).slice(before, before + batch.length)
    }
    const group: Group = { messages: [...batch], characters, stored: Promise.resolve([]) }
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

  #fits({ messages, characters }: Group, batch: readonly ValidMessage[], more: number): boolean {
    return messages.length + batch.length <= mostJoined && characters + more <= this.#mostCharacters
  }
}
