import type { Context } from '../context/context.ts'
import type { ContextOptions } from '../context/request.ts'
import type { AppendInput, Message } from '../messages/message.ts'
import type { AppendResult } from '../log/append-result.ts'
import { appendOperation } from '../operations/append.ts'
import { compactOperation, isOver } from '../operations/compact.ts'
import { contextOperation } from '../operations/context.ts'
import type { PartitionMeans } from '../operations/means.ts'
import type { CallOptions } from '../operations/call-options.ts'
import { userOperations, userSettingsOperations } from '../operations/user.ts'
import type { Profile } from '../privacy/profile.ts'
import type { ForgetInput } from '../privacy/selection.ts'
import type { Recalled } from '../recall/hit.ts'
import type { RecallOptions } from '../recall/request.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import { givenObject } from '../scope/options.ts'
import { Bank } from './bank.ts'
import { Blocks } from './blocks.ts'
import type { Calls } from './calls/calls.ts'
import { Documents } from './documents.ts'
import { UserFacts } from './facts.ts'
import { UserGists } from './gists.ts'
import { UserNotes } from './notes.ts'
import { UserSessions, type Withdrawn } from './sessions.ts'

/** Messages of a session, oldest first. */
export type MessageList = readonly Message[] & {
  /** Where the next page goes on, when this one ended before its limit: its messages came to 16 MiB of text. */
  readonly before?: number
}

/** A user's settings. */
export interface UserSettings {
  /**
   * Whether sessions of which nothing is said feed what the project shares, if it shares at all; set to false, what
   * they fed is withdrawn. Default true.
   */
  readonly share: boolean
}

export interface CompactOptions {
  /** The session that the conversation is stored in; it may be unknown. */
  readonly session: string
  /**
   * Exact tokens (o200k_base) of the answer: words, tools' names, inputs and outputs, 4 a message, 1,600 a picture or
   * file. 1 to 10,000,000.
   */
  readonly maxTokens: number
}

export interface ShouldCompactOptions {
  /** The tokens that the model can read. */
  readonly window: number
  /** The share of it that a conversation may take: above 0, at most 1. Default .8. */
  readonly at?: number
}

/** One partition's memory: everything that a user (or the anonymous user) said, and nobody else's. */
export class UserMemory {
  readonly sessions: UserSessions
  /** Working memory: named texts that the user's agent sees in every conversation. */
  readonly blocks: Blocks
  /** What each session was about. */
  readonly gists: UserGists
  /** The user's own bank: nobody else sees it. */
  readonly bank: Bank
  /** What is known: of the user, and of others that the user spoke of. */
  readonly facts: UserFacts
  /** The page that follows each running session. */
  readonly notes: UserNotes
  /** Markdown pages of knowledge, each about one subject. */
  readonly documents: Documents
  readonly settings: {
    get(options?: CallOptions): Promise<UserSettings>
    set(changes: Partial<UserSettings>, options?: CallOptions): Promise<UserSettings & Withdrawn>
  }
  readonly #calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.#calls = calls
    this.sessions = new UserSessions(calls)
    this.blocks = new Blocks(calls)
    this.gists = new UserGists(calls)
    this.bank = new Bank(calls)
    this.documents = new Documents(calls)
    this.notes = new UserNotes(calls)
    this.facts = new UserFacts(calls)
    this.settings = {
      get: (options = {}) => calls.call(userSettingsOperations.get, {}, options),
      set: (changes, options = {}) => calls.whole(userSettingsOperations.set, { named: 'settings', fields: changes }, options),
    }
  }

  /**
   * Reads a session now, whether it is due or not: its gist and the bank's entries are made, or brought up to date. NotFound
   * for a session that is not there. With no layer switched on it does nothing.
   */
  distil(session: string, options: CallOptions = {}): Promise<void> {
    return this.#calls.call(userOperations.distil, { session }, options)
  }

  /**
   * Stores messages; returns when they are durable. All of a batch or none of it: InvalidMessage names the place of the
   * first that cannot be stored. A message whose `id` the session already has is reported as a duplicate. A large batch is read in slices:
   * its messages are not to be changed before it is stored. One of more than 1,000 messages or 2 MiB is stored in parts, in order: when the
   * store fails between them, AppendIncomplete says how many are stored; a process that ends between them leaves its first parts.
   *
   * @example await ada.append('session-1', { role: 'user', content: 'The kiosk opens on the 16th.' })
   */
  append(session: string, messages: AppendInput | readonly AppendInput[], options: CallOptions = {}): Promise<AppendResult> {
    return this.#calls.call(appendOperation, { session, messages }, options)
  }

  /**
   * Puts new words in a message's place (same id and seq); the old ones are erased like forgotten ones. NotFound for
   * an id of another partition.
   */
  replace(id: string, content: string, options: CallOptions = {}): Promise<{ message: Message; receipt: Receipt }> {
    return this.#calls.call(userOperations.replace, { id, content }, options)
  }

  /**
   * A session's newest messages, oldest first; `before` is a seq, to page back. Default limit 50; `tools: false`
   * leaves tool messages out. A page of over 16 MiB of text ends early, and its own `before` says where the next one
   * goes on.
   */
  messages(
    session: string,
    options: CallOptions & { limit?: number | undefined; before?: number | undefined; tools?: boolean | undefined } = {},
  ): Promise<MessageList> {
    return this.#calls.call(userOperations.messages, { session }, options)
  }

  /**
   * Finds messages by what they say, and with `kinds` what was derived from them. Questions are words, never syntax.
   * Fails open: when the store does not answer in time, there are no hits, and `degraded` says so.
   */
  recall(query: string, options: RecallOptions & CallOptions = {}): Promise<Recalled> {
    return this.#calls.call(userOperations.recall, { query }, options)
  }

  /** Puts together what the model will read: recent turns, then what else matters, never over `maxTokens`. Fails open as recall does. */
  context(options: ContextOptions & CallOptions): Promise<Context> {
    return this.#calls.call(contextOperation, {}, options)
  }

  /**
   * A conversation cut to a budget: its system messages, the session's notes in place of what they cover, and the
   * newest messages, in the host's own shape. No model is called and nothing is written. LimitExceeded, with the
   * tokens that it takes, when what must stay is over. Fails open: without the store, the newest that fit.
   *
   * @example messages = await ada.compact(messages, { session: 'monday', maxTokens: 60_000 })
   */
  compact<Item extends object>(messages: readonly Item[], options: CompactOptions & CallOptions): Promise<Item[]>
  async compact(messages: readonly object[], options: CompactOptions & CallOptions): Promise<object[]> {
    return [...(await this.#calls.call(compactOperation, { messages }, givenObject('options', options))).kept]
  }

  /**
   * Whether a conversation takes `at` (default .8) of a model's `window`, by estimated tokens; tells at once. Of over
   * 1,000 messages only some are looked into.
   */
  shouldCompact(messages: readonly object[], options: ShouldCompactOptions): boolean {
    return isOver({ ...givenObject('options', options), messages })
  }

  /** What there is of this user: counts, recent sessions, and what holds now by subject, with its sources. */
  profile(options: CallOptions = {}): Promise<Profile> {
    return this.#calls.call(userOperations.profile, {}, options)
  }

  /** What `forget` would erase, by kind; nothing is done. */
  previewForget(what: ForgetInput, options: CallOptions = {}): Promise<Readonly<Record<string, number>>> {
    return this.#calls.call(userOperations.previewForget, { what }, options)
  }

  /**
   * Erases messages and all that rests on them. `before` is strict. When it returns, nothing of it is in any answer;
   * `physical: done` says that the words are gone from the files' bytes too, `pending` that upkeep will finish that.
   * Much is taken out in several transactions, with other calls between: when it fails, some may be gone, `receipts.list()`
   * says how much, and the same call takes out the rest; of `messages`, name those that are left.
   */
  forget(what: ForgetInput, options: CallOptions = {}): Promise<Receipt> {
    return this.#calls.call(userOperations.forget, { what }, options)
  }
}
