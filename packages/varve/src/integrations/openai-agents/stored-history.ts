import { VarveError } from '../../errors/varve-error.ts'
import type { Message, MessageInput } from '../../messages/message.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { inTime } from '../../turns/in-time.ts'
import type { TurnMemory } from '../../turns/turn-memory.ts'
import { type History, type HistoryEntry, historyOf } from './history.ts'

/** The part of a user's memory that keeps a session of agents. */
export type AgentMemory = TurnMemory &
  Pick<UserMemory, 'messages' | 'forget'> & { readonly sessions: Pick<UserMemory['sessions'], 'delete'> }

/** Messages that are read at once. */
const pageSize = 1_000
/** Messages beyond those that are asked for: some may be no items. */
const fewMore = 14

/** The most messages that one call forgets. */
const mostForgotten = 1_000

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
    return (await this.#page(seq + 1, 1)).messages.some((message) => message.id === id)
  }

  /** Reads the whole history. */
  async whole(): Promise<History> {
    return historyOf(await this.#read())
  }

  /** Reads the last entries, in order, and what is dead among the messages read. */
  async last(count: number): Promise<Pick<History, 'entries' | 'dead'>> {
    let read: readonly Message[] = []
    let before: number | undefined
    for (;;) {
      const page = await this.#page(before, Math.min(pageSize, 2 * count + fewMore))
      read = [...page.messages, ...read]
      before = page.before
      const oldest = before === undefined ? 0 : (read[0]?.seq ?? 0)
      const { entries, dead, reach } = historyOf(read)
      // An entry whose place is before the oldest message read stands among others that were not read.
      const known = entries.filter(({ place }) => place >= oldest)
      if (before === undefined || (known.length >= count && reach >= oldest))
        return { entries: known.slice(Math.max(known.length - count, 0)), dead }
    }
  }

  async append(items: readonly MessageInput[], idempotencyKey?: string) {
    const once = idempotencyKey === undefined ? {} : { idempotencyKey }
    return inTime('append', this.#deadlineMs, (deadlineMs) => this.#memory.append(this.#session, items, { ...once, deadlineMs }))
  }

  /** Erases messages. False when one of them was gone: another caller was faster. */
  async erase(ids: readonly string[]): Promise<boolean> {
    for (let from = 0; from < ids.length; from += mostForgotten) {
      const some = ids.slice(from, from + mostForgotten)
      const receipt = await foundOr(
        inTime('forget', this.#deadlineMs, () => this.#memory.forget({ session: this.#session, messages: some })),
      )
      if (receipt?.counts['message'] !== some.length) return false
    }
    return true
  }

  async clear(): Promise<void> {
    await foundOr(inTime('sessions.delete', this.#deadlineMs, () => this.#memory.sessions.delete(this.#session)))
  }

  async #read(): Promise<Message[]> {
    const pages: (readonly Message[])[] = []
    let before: number | undefined
    do {
      const page = await this.#page(before, pageSize)
      pages.unshift(page.messages)
      before = page.before
    } while (before !== undefined)
    return pages.flat()
  }

  /** Reads a page. `before` is that of the next one; undefined when there is none. */
  async #page(before: number | undefined, limit: number): Promise<Page> {
    const asked = { limit, ...(before === undefined ? {} : { before }) }
    const messages = await foundOr(
      inTime('messages', this.#deadlineMs, (deadlineMs) => this.#memory.messages(this.#session, { ...asked, deadlineMs })),
    )
    const oldest = messages?.[0]?.seq
    if (messages === undefined || oldest === undefined) return { messages: [], before: undefined }
    const isEnd = messages.length < limit && messages.before === undefined
    return { messages, before: isEnd || oldest === 1 ? undefined : oldest }
  }
}

/** A message, and where it stands. */
export type StoredPlace = Pick<HistoryEntry, 'id' | 'seq'>

interface Page {
  readonly messages: readonly Message[]
  readonly before: number | undefined
}

/** Gives undefined for something that is not there. */
async function foundOr<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked
  } catch (error) {
    if (VarveError.is(error) && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}
