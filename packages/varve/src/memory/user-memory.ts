import { isOver } from '../operations/compact.ts'
import { givenFields } from '../operations/fields.ts'
import type { PartitionMeans } from '../operations/means.ts'
import { standingOperation } from '../operations/standing.ts'
import type { NamedMessage, ImportStanding } from '../storage/log/import-standing.ts'
import { type MemoryTools, memoryTools } from '../operations/tools/memory.ts'
import { userOperations } from '../operations/user.ts'
import { Blocks } from './blocks.ts'
import type { Calls } from './calls/calls.ts'
import { streamed } from './calls/streamed.ts'
import { Documents } from './documents.ts'
import { Facts } from './facts.ts'
import { Bank } from './handles/bank.ts'
import { Imports } from './handles/transfer.ts'
import { UserContexts } from './handles/contexts.ts'
import { UserGists } from './handles/gists.ts'
import { UserNotes } from './handles/notes.ts'
import { UserPendingForget } from './handles/pending-forget.ts'
import { UserReadings } from './handles/readings.ts'
import { UserSessions } from './handles/sessions.ts'
import { type CompactOptions, type ExportOptions, UserMethods, UserSettingsHandle } from './handles/user.ts'
import { Instructions } from './instructions.ts'

/** The options of `shouldCompact`. */
export interface ShouldCompactOptions {
  /** The tokens that the model can read. */
  readonly window: number
  /** The share of the window that a conversation may take: above 0, at most 1. Default .8. */
  readonly at?: number
}

/** One partition's memory: everything that a user (or the anonymous user) said, and nobody else's words. */
export class UserMemory extends UserMethods {
  /** Whose memory this is. The anonymous user has no `user`. */
  readonly scope: { readonly project: string; readonly user?: string }
  /** The user's conversations. */
  readonly sessions: UserSessions
  /** Working memory: named texts that the user's agent sees in every conversation. */
  readonly blocks: Blocks
  /** A gist of each session. */
  readonly gists: UserGists
  /** The user's own bank: nobody else sees it. */
  readonly bank: Bank
  /** Facts of the user, and of others that the user spoke of. */
  readonly facts: Facts
  /** What the user wants done from now on, in the user's words. */
  readonly instructions: Instructions
  /** Requests to forget that the user made in a conversation. They wait for the host. */
  readonly pendingForget: UserPendingForget
  /** The page that follows each running session. */
  readonly notes: UserNotes
  /** Markdown pages of knowledge, each about one subject. */
  readonly documents: Documents
  /** What is due to be read, for the agent's own model. */
  readonly readings: UserReadings
  /** Imports that wait to be accepted. */
  readonly imports: Imports
  /** The contexts that the user was shown. */
  readonly contexts: UserContexts
  readonly settings: UserSettingsHandle

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    super(calls)
    this.scope = calls.means.who
    this.sessions = new UserSessions(calls)
    this.blocks = new Blocks(calls)
    this.gists = new UserGists(calls)
    this.bank = new Bank(calls)
    this.documents = new Documents(calls)
    this.notes = new UserNotes(calls)
    this.facts = new Facts(calls)
    this.instructions = new Instructions(calls)
    this.pendingForget = new UserPendingForget(calls)
    this.readings = new UserReadings(calls)
    this.imports = new Imports(calls)
    this.contexts = new UserContexts(calls)
    this.settings = new UserSettingsHandle(calls)
  }

  /**
   * Cuts a conversation to a budget, in the host's own shape. Keeps its system messages, the session's notes in place of
   * the messages that they cover, and the newest messages. Calls no model and writes nothing. Fails open: without the
   * store, it keeps the newest messages that fit.
   *
   * @throws {VarveError} LIMIT_EXCEEDED, with the tokens needed, when the part that must stay is over the budget
   * @example messages = await ada.compact(messages, { session: 'monday', maxTokens: 60_000 })
   */
  compact<Item extends object>(messages: readonly Item[], options: CompactOptions): Promise<Item[]>
  async compact(messages: readonly object[], options: CompactOptions): Promise<object[]> {
    return [...(await this.calls.call(userOperations.compact, { messages }, options))]
  }

  /**
   * Writes this memory as JSON lines, each with its line feed. A page of them is held at a time. Messages that are stored
   * meanwhile are left out; an erasure ends it.
   *
   * @throws {VarveError} EXPORT_INTERRUPTED: throw the lines away and export again
   * @example for await (const line of ada.export()) file.write(line)
   */
  export(options: ExportOptions = {}): AsyncIterable<string> {
    return streamed(this.calls, userOperations.export, options)
  }

  /**
   * Tells at once whether a conversation takes `at` (default .8) of a model's `window`, by estimated tokens. Of over 1,000
   * messages it samples some.
   */
  shouldCompact(messages: readonly object[], options: ShouldCompactOptions): boolean {
    return isOver({ ...givenFields('options', options), messages })
  }

  /** @internal Tells an import's dry run which of these messages the session has, and which were forgotten in it. */
  standing(session: string, messages: readonly NamedMessage[]): Promise<ImportStanding> {
    return this.calls.call(standingOperation, { session, messages }, {})
  }

  /**
   * Gives the five tools of the AI SDK by which an agent uses all of this memory: recall, context, remember, edit and forget. What
   * they write names `writer` (default `agent`), and is never taken for a person's words. With `session`, the running session,
   * what they write goes with it. Forgetting shows first, and erases with the token of that showing.
   *
   * @example generateText({ model, prompt, tools: ada.tools({ session: 'monday' }) })
   */
  tools(options: { readonly session?: string; readonly writer?: string } = {}): MemoryTools {
    return memoryTools((operation, input, call) => this.calls.call(operation, input, call), options)
  }
}
