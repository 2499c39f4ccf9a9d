// Written from operations/user.ts by `npm run api`. Do not edit.
import type { AppendInput, Message, Metadata } from '../../messages/message.ts'
import type { AppendResult } from '../../log/append-result.ts'
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { Changes } from '../../storage/journal/changes.ts'
import type { Context } from '../../context/context.ts'
import type { ExportPieces } from '../../transfer/coming-lines.ts'
import type { Followed } from '../../recall/follow.ts'
import type { ForgetShown } from '../../privacy/forget-lines.ts'
import type { HitKind, Recalled } from '../../recall/hit.ts'
import type { Imported } from '../../transfer/imported.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { MessageList } from '../../log/message-list.ts'
import type { MessageReference } from '../../messages/message-reference.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { Profile } from '../../privacy/profile.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import type { Time } from '../../messages/time.ts'
import type { UserSettings, Withdrawn } from '../../projects/settings.ts'
import type { Versioned } from '../../storage/versions.ts'
import { userOperations, userSettingsOperations } from '../../operations/user.ts'

/** Options of `append`. */
export interface AppendOptions extends CallOptions {
  /** The same key with the same messages stores them once, and gives the same answer for 24 hours. */
  readonly idempotencyKey?: string | undefined
  /** Stores messages again whose `id` was forgotten in this session. */
  readonly restoreForgotten?: boolean | undefined
}

/** Options of `replace`. */
export interface ReplaceOptions extends CallOptions {
  /** Only if these are its words until now. Default: any. */
  readonly expectedContent?: string | undefined
}

/** Options of `messages`. */
export interface MessagesOptions extends CallOptions {
  /** The most messages. Default 50. From 1 to 10,000. */
  readonly limit?: number | undefined
  /** Only messages with a smaller seq: to page back. */
  readonly before?: number | undefined
  /** False leaves out tool messages, and those that are only calls or results. Default true. */
  readonly tools?: boolean | undefined
}

/** Options of `timeline`. */
export interface TimelineOptions extends CallOptions, ListOptions {
  /** Said at this time or later. */
  readonly from?: Time | undefined
  /** Said at this time or earlier; a bare day means its end. */
  readonly to?: Time | undefined
  /** The end at which the list begins. Default: newest. */
  readonly order?: 'newest' | 'oldest' | undefined
}

/** Options of `follow`. */
export interface FollowOptions extends CallOptions {
  /** The most messages. Default 100. From 1 to 10,000. */
  readonly limit?: number | undefined
  /** The `place` of the call before. */
  readonly after?: string | undefined
}

/** Options of `changes`. */
export interface ChangesOptions extends CallOptions {
  /** The most changes. Default 100. From 1 to 1,000. */
  readonly limit?: number | undefined
  /** The `place` of the call before, or the `id` of a change. Default: now. */
  readonly after?: string | undefined
}

/** Options of `recall`. */
export interface RecallOptions extends CallOptions {
  /** The most hits. Default 10. From 1 to 1,000. */
  readonly limit?: number | undefined
  /** Only this session. */
  readonly session?: string | undefined
  /** All sessions but this one. */
  readonly excludeSession?: string | undefined
  /** Said at this time or later. */
  readonly from?: Time | undefined
  /** Said at this time or earlier; a bare day means its end. */
  readonly to?: Time | undefined
  /** Only messages whose metadata has all of these values. */
  readonly metadata?: Metadata | undefined
  /** Leaves out hits below this score, which compares the hits of one question. Default 0. From 0 to 1. */
  readonly minScore?: number | undefined
  /** A hit that was said this many days ago has half of its score. From 0.001 to 100,000. */
  readonly halfLifeDays?: number | undefined
  /** Messages before and after each hit; they never count as hits. Default 0. From 0 to 20. */
  readonly neighbours?: number | undefined
  /** Kinds of memory to search. Default: messages. */
  readonly kinds?: readonly HitKind[] | undefined
  /**
   * Leaves out all messages of an answer below this confidence; 0 keeps them. Default: where it is almost surely
   * nothing. From 0 to 1.
   */
  readonly minConfidence?: number | undefined
}

export interface TierOptions {
  /** Its share of the budget, weighed against the others. */
  readonly share?: number | undefined
  /** The most items of the tier; 0 leaves it out. For the bank: the most tokens. */
  readonly limit?: number | undefined
}

/** Options of `context`. */
export interface ContextOptions extends CallOptions {
  /** The new message, or the question. */
  readonly query: string
  /** The running session: its newest turns are shown, and shown items are noted. */
  readonly session?: string | undefined
  /**
   * A session that is left out, such as the running one of a host that keeps its own history: its messages, its notes,
   * its gist and its entries in the bank. What is known of the user stays: facts, instructions, documents, blocks.
   * Without `session`, shown items are noted for it.
   */
  readonly excludeSession?: string | undefined
  /**
   * Of `excludeSession`, only the messages said at this time or later are left out: the earlier ones left the model’s
   * window, by a compaction. Its notes, its gist and its entries in the bank stay left out.
   */
  readonly excludeSessionSince?: Time | undefined
  /** The most exact tokens (o200k_base), headings included. Default 4,000. From 1 to 1,000,000. */
  readonly maxTokens?: number | undefined
  /** The agent’s own text, put first and outside the fence. */
  readonly persona?: string | undefined
  /**
   * Shares and limits by tier. Default: instructions { share: 0.1, limit: 30 }, blocks { share: 0.1, limit: 100 },
   * profile { share: 0.1, limit: 50 }, bank { share: 0.1, limit: 10000 }, gists { share: 0.1, limit: 3 }, documents {
   * share: 0.1, limit: 5 }, notes { share: 0.1, limit: 40 }, details { share: 0.5, limit: 150 }, recent { share: 0.4,
   * limit: 10 }.
   */
  readonly tiers?:
    | {
        readonly instructions?: TierOptions | undefined
        readonly blocks?: TierOptions | undefined
        readonly profile?: TierOptions | undefined
        readonly bank?: TierOptions | undefined
        readonly gists?: TierOptions | undefined
        readonly documents?: TierOptions | undefined
        readonly notes?: TierOptions | undefined
        readonly details?: TierOptions | undefined
        readonly recent?: TierOptions | undefined
      }
    | undefined
  /**
   * Leaves out all messages of an answer below this confidence; 0 keeps them. Default: where it is almost surely
   * nothing. From 0 to 1.
   */
  readonly minConfidence?: number | undefined
}

/** Options of `compact`. */
export interface CompactOptions extends CallOptions {
  /** The session that the conversation is stored in: its notes are used. It may be unknown. */
  readonly session: string
  /** The most exact tokens (o200k_base) of the answer. From 1 to 10,000,000. */
  readonly maxTokens: number
}

/** Options of `export`. */
export interface ExportOptions extends CallOptions {
  /** A private Ed25519 key in PEM that signs the lines too: whoever has its public half can check them. */
  readonly signingKey?: string | undefined
}

/** Options of `import`. */
export interface ImportLinesOptions extends CallOptions {
  /** True applies the lines of a stranger at once; `changed` even lines that are not as they were signed. */
  readonly accept?: boolean | string | undefined
  /** Ed25519 keys in PEM whose signature is as good as this store’s. */
  readonly trust?: readonly string[] | undefined
  /** Stores again what was forgotten or deleted by hand here, and messages that were forgotten where the export was made. */
  readonly restoreForgotten?: boolean | undefined
}

/** The messages to forget: `session`, `before` and `messages` narrow each other; or `all`. */
export interface ForgetInput {
  /** Messages of this session. */
  readonly session?: string
  /** Said strictly before this time. */
  readonly before?: Time
  /** Ids of messages: Varve’s, or the host’s own. */
  readonly messages?: readonly MessageReference[]
  /** Everything of this partition. */
  readonly all?: boolean
}

/** Options of `showForget`. */
export interface ShowForgetOptions extends CallOptions {
  /** The messages to forget: `session`, `before` and `messages` narrow each other; or `all`. */
  readonly what?: ForgetInput | undefined
  /** A document of the user, in place of messages. */
  readonly document?: string | undefined
  /** A block of the user, in place of messages. */
  readonly block?: string | undefined
  /** With `block`: a block of this session. */
  readonly session?: string | undefined
}

/** Options of `confirmForget`. */
export interface ConfirmForgetOptions extends CallOptions {
  /** The messages to forget: `session`, `before` and `messages` narrow each other; or `all`. */
  readonly what?: ForgetInput | undefined
  /** A document of the user, in place of messages. */
  readonly document?: string | undefined
  /** A block of the user, in place of messages. */
  readonly block?: string | undefined
  /** With `block`: a block of this session. */
  readonly session?: string | undefined
}

/** Options of `settings.set`. */
export interface UserSettingsChanges {
  /** Whether sessions feed the shared bank of the project, unless they say otherwise. */
  readonly share?: boolean | undefined
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** The memory of one user: the calls that belong to no layer. */
export class UserMethods {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Stores messages, and returns when they are durable: all of a batch or none of it. A message whose `id` the session
   * already has is reported as a duplicate. One whose `id` was forgotten there is named in `forgotten` and left out. An
   * assistant’s message without a word, as a stopped stream leaves it, is skipped and reported; anyone else’s is
   * refused. Do not change the messages of a large batch before it is stored: it is read in slices. More than 1,000
   * messages or 2 MiB are stored in parts, in order. When the store fails between parts, AppendIncomplete says how many
   * messages are stored. A process that ends between them leaves its first parts. With an `idempotencyKey` the same call
   * goes on after them; without one, append the rest.
   *
   * @param session The session; a new one is made.
   * @param messages A message, or a list of at most 10,000.
   * @throws {VarveError} MESSAGE_INVALID, APPEND_INCOMPLETE, IDEMPOTENCY_REUSED
   * @example await ada.append('session-1', { role: 'user', content: 'The kiosk opens on the 16th.' })
   */
  append(session: string, messages: AppendInput | readonly AppendInput[], options: AppendOptions = {}): Promise<AppendResult> {
    return this.calls.call(userOperations.append, { session, messages }, options)
  }

  /**
   * Replaces the words of a message; its id and seq stay. The old words are erased like forgotten ones.
   *
   * @param id The id of the message: Varve’s, or the host’s own.
   * @param content The new words.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  replace(id: MessageReference, content: string, options: ReplaceOptions = {}): Promise<{ message: Message; receipt: Receipt }> {
    return this.calls.call(userOperations.replace, { id, content }, options)
  }

  /**
   * Reads a session’s newest messages, oldest first. A page of over 16 MiB of text ends early; its `before` begins the
   * next.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  messages(session: string, options: MessagesOptions = {}): Promise<MessageList> {
    return this.calls.call(userOperations.messages, { session }, options)
  }

  /**
   * Lists messages by the time at which they were said, over all sessions: the newest first. A page has at most 50 items
   * by default. Equal times are in the order of storing. A list of over 16 MiB of text ends early, with a `cursor`.
   *
   * @example for await (const { at, content } of ada.timeline({ from: '2026-04-01' })) console.log(at, content)
   */
  timeline(options: TimelineOptions = {}): Listing<Message> {
    return this.calls.list(userOperations.timeline, {}, options)
  }

  /**
   * Reads the messages that any process stored after a place, in the order of storing, and gives the next place. Without
   * `after` it reads none, and gives the place of now. A replaced message comes again, with its id. Messages of over 16
   * MiB of text come in several calls.
   */
  follow(options: FollowOptions = {}): Promise<Followed> {
    return this.calls.call(userOperations.follow, {}, options)
  }

  /**
   * Tells what any process did to this user’s memory after a place, in the order of storing. Without `after` it tells
   * none, and gives the place of now. `missed` is true when changes after the place are no longer known: the newest
   * 100,000 of the store are kept, for 30 days. It tells ids, never words. A place is of its store and project; another
   * is refused, or `missed`. Messages that were forgotten or replaced since are left out. A long erasure is told when it
   * begins and when it ends.
   */
  changes(options: ChangesOptions = {}): Promise<Changes> {
    return this.calls.call(userOperations.changes, {}, options)
  }

  /**
   * Finds messages by their words and their meaning, and with `kinds` the layers made of them. A blank question with
   * `from` or `to` finds the newest messages of that time. Fails open: when the store does not answer in time, there are
   * no hits, and `degraded` says so.
   *
   * @param query The question, in words: it has no syntax.
   */
  recall(query: string, options: RecallOptions = {}): Promise<Recalled> {
    return this.calls.call(userOperations.recall, { query }, options)
  }

  /**
   * Assembles the text that the model will read: recent turns, then the items that matter most, never over `maxTokens`.
   * Fails open as recall does.
   */
  context(options: ContextOptions): Promise<Context> {
    return this.calls.call(userOperations.context, {}, options)
  }

  /**
   * Reads a session now, due or not, for the layers that are switched on. With no layer on it does nothing.
   *
   * @param session The session.
   * @throws {VarveError} NOT_FOUND
   */
  distil(session: string, options: CallOptions = {}): Promise<void> {
    return this.calls.call(userOperations.distil, { session }, options)
  }

  /**
   * Sums up a user: counts, recent sessions, the facts that hold now by subject, and what each person said, with their
   * sources.
   */
  profile(options: CallOptions = {}): Promise<Profile> {
    return this.calls.call(userOperations.profile, {}, options)
  }

  /**
   * Takes the lines of an export into this memory. Messages keep their ids and times; what is there already is a
   * duplicate, and what was changed here stays. Lines that this store signed for this owner, or that a key in `trust`
   * signed, are applied; those of anybody else wait, neither found nor shown, until they are accepted. Nothing is
   * applied of lines that were changed since they were signed. It is done in many transactions. One that was cut off is
   * finished by the next import of the same lines.
   *
   * @param lines The export: text or bytes, whole or in pieces.
   * @throws {VarveError} EXPORT_BROKEN, LIMIT_EXCEEDED, NOT_FOUND
   * @example const { state, stored } = await ada.import(createReadStream('ada.jsonl'))
   */
  import(lines: ExportPieces, options: ImportLinesOptions = {}): Promise<Imported> {
    return this.calls.call(userOperations.import, { lines }, options)
  }

  /**
   * Counts the items that `forget` would erase, by kind. Erases nothing.
   *
   * @param what The messages to forget: `session`, `before` and `messages` narrow each other; or `all`.
   * @throws {VarveError} NOT_FOUND
   */
  previewForget(what: ForgetInput, options: CallOptions = {}): Promise<Readonly<Record<string, number>>> {
    return this.calls.call(userOperations.previewForget, { what }, options)
  }

  /**
   * Erases messages and everything that rests on them. When it returns, no answer has the words. `physical: done` says
   * that they are gone from the files’ bytes too; `pending` says that upkeep will finish this. A large erasure takes
   * several transactions, with other calls between. When one fails, some messages may be gone; `receipts.list()` says
   * how many. The same call erases the rest; in `messages`, name only the remaining ones.
   *
   * @param what The messages to forget: `session`, `before` and `messages` narrow each other; or `all`.
   * @throws {VarveError} NOT_FOUND
   */
  forget(what: ForgetInput, options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(userOperations.forget, { what }, options)
  }

  /**
   * Shows what a forget would erase: counts and some lines, for a person who then says yes. Gives a token by which
   * `confirmForget` erases exactly this, within ten minutes. Erases nothing.
   *
   * @throws {VarveError} NOT_FOUND
   */
  showForget(options: ShowForgetOptions = {}): Promise<ForgetShown> {
    return this.calls.call(userOperations.showForget, {}, options)
  }

  /**
   * Erases what `showForget` showed, as `forget` does. InvalidOption for `token` when it changed since, when the token
   * is over, or when it was given for something else: nothing is erased then. A message that comes while it runs stays,
   * except with `all`.
   *
   * @param token The token of `showForget`.
   * @throws {VarveError} NOT_FOUND, STALE_REVISION
   */
  confirmForget(token: string, options: ConfirmForgetOptions = {}): Promise<Receipt> {
    return this.calls.call(userOperations.confirmForget, { token }, options)
  }
}

/** A user’s settings. */
export class UserSettingsHandle {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /** Reads the user’s settings. */
  get(options: CallOptions = {}): Promise<UserSettings & Versioned> {
    return this.calls.call(userSettingsOperations.get, {}, options)
  }

  /**
   * Changes the user’s settings. With `share: false`, bullets of the user’s sessions are withdrawn from the project.
   *
   * @throws {VarveError} STALE_REVISION
   */
  set(changes: UserSettingsChanges, options: CallOptions = {}): Promise<UserSettings & Versioned & Withdrawn> {
    return this.calls.whole(userSettingsOperations.set, { named: 'changes', fields: changes }, options)
  }
}
