import type { Message, MessageInput } from '../../messages/message.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { inTime } from '../../turns/in-time.ts'
import type { TurnMemory } from '../../turns/turn-memory.ts'
import { ifKnown, messagePages, newestMessage } from '../stored-messages.ts'
import { type History, type HistoryEntry, historyOf } from './history.ts'

/** The part of a user's memory that keeps a session of agents. */
export type AgentMemory = TurnMemory &
  Pick<UserMemory, 'messages' | 'forget'> & { readonly sessions: Pick<UserMemory['sessions'], 'delete'> }

/** Messages beyond those that are asked for: some may be no items. */
const fewMore = 14

/** The most messages that one call reads or forgets. */
const mostAtOnce = 1_000

/** One session's history, as it is stored. */
export class StoredHistory {
  readonly #memory: AgentMemory
  readonly #session: string
  readonly #deadlineMs: number

  constructor(memory: AgentMemory, session: string, deadlineMs: number) {
    this.#memory = memory
    this.#session = session
    this.#deadlineMs = deadlineMs
  }

  /** Tells whether a message is there. */
  async has({ id, seq }: StoredPlace): Promise<boolean> {
    return (await newestMessage(this.#timed, this.#session, seq + 1))?.id === id
  }

  /** Reads the whole history. */
  async whole(): Promise<History> {
    return historyOf((await Array.fromAsync(messagePages(this.#timed, this.#session))).toReversed().flat())
  }

  /** Reads the last entries, in order, and what is dead among the messages read. */
  async last(count: number): Promise<Pick<History, 'entries' | 'dead'>> {
    const lastOf = ({ entries, dead }: History, oldest: number) => {
      // An entry whose place is before the oldest message read stands among others that were not read.
      const known = entries.filter(({ place }) => place >= oldest)
      return { entries: known.slice(Math.max(known.length - count, 0)), dead }
    }
    const limit = Math.min(mostAtOnce, 2 * count + fewMore)
    let read: readonly Message[] = []
    for await (const page of messagePages(this.#timed, this.#session, { limit })) {
      read = [...page, ...read]
      const history = historyOf(read)
      const oldest = read[0]?.seq ?? 0
      const last = lastOf(history, oldest)
      if (last.entries.length >= count && history.reach >= oldest) return last
    }
    return lastOf(historyOf(read), 0)
  }

  async append(items: readonly MessageInput[], idempotencyKey?: string) {
    const once = idempotencyKey === undefined ? {} : { idempotencyKey }
    return inTime('append', this.#deadlineMs, (deadlineMs) => this.#memory.append(this.#session, items, { ...once, deadlineMs }))
  }

  /** Erases messages. False when one of them was gone: another caller was faster. */
  async erase(ids: readonly string[]): Promise<boolean> {
    for (let from = 0; from < ids.length; from += mostAtOnce) {
      const some = ids.slice(from, from + mostAtOnce)
      const receipt = await ifKnown(
        inTime('forget', this.#deadlineMs, () => this.#memory.forget({ session: this.#session, messages: some })),
      )
      if (receipt?.counts['message'] !== some.length) return false
    }
    return true
  }

  async clear(): Promise<void> {
    await ifKnown(inTime('sessions.delete', this.#deadlineMs, () => this.#memory.sessions.delete(this.#session)))
  }

  /** The memory, each of whose reads ends in time. */
  get #timed(): Pick<AgentMemory, 'messages'> {
    const read: AgentMemory['messages'] = (session, asked) =>
      inTime('messages', this.#deadlineMs, (deadlineMs) => this.#memory.messages(session, { ...asked, deadlineMs }))
    return { messages: read }
  }
}

/** A message, and where it stands. */
export type StoredPlace = Pick<HistoryEntry, 'id' | 'seq'>
