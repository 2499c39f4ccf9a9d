import { Appending, type AppendResult } from './appending.ts'
import { failingOpen, recallOn, whenReady, withDegraded } from './asking.ts'
import { Bank } from './bank-handle.ts'
import type { CallOptions } from './call.ts'
import { compactOn, type CompactOptions, shouldCompact, type ShouldCompactOptions } from './compaction.ts'
import { type ContextOptions, contextRequest } from './context/request.ts'
import type { Context } from './context/context.ts'
import { InvalidOption } from './errors/invalid-option.ts'
import { VarveError } from './errors/varve-error.ts'
import { uuidv7 } from './ids/uuid.ts'
import type { AppendInput, Message } from './messages/message.ts'
import { checkText, maxContentBytes } from './messages/validate.ts'
import type { Profile } from './privacy/profile.ts'
import { type ForgetInput, forgetSelection } from './privacy/selection.ts'
import type { Recalled } from './recall/hit.ts'
import type { RecallOptions } from './recall/request.ts'
import { shown } from './scope/name.ts'
import { givenObject, inRange } from './scope/options.ts'
import { sessionName, type SessionName } from './scope/partition.ts'
import type { Scope } from './scope/scope.ts'
import type { ContextRecord } from './storage/log/contexts.ts'
import { bitOf, onceShift } from './storage/layers.ts'
import type { Receipt } from './storage/erase/receipts.ts'
import type { Ground } from './ground.ts'
import { callsOn, type LayerCalls } from './layer-calls.ts'
import { Documents, type Memorized } from './user-documents.ts'
import { UserFacts } from './user-facts.ts'
import { Blocks } from './user-blocks.ts'
import { UserGists } from './user-gists.ts'
import { UserNotes } from './user-notes.ts'
import { UserSessions, type Withdrawn } from './user-sessions.ts'

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

/** How long a context waits until it is noted what it showed: another process may hold the store for seconds. */
const longestNotingMs = 250

/** Waits for some work, or as long as that; the work goes on. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
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
  /** What is known: of the user, and of what he spoke of. */
  readonly facts: UserFacts
  /** The page that follows each running session. */
  readonly notes: UserNotes
  /** Markdown pages of knowledge, each about one subject. */
  readonly documents: Documents
  readonly settings: { get(): Promise<UserSettings>; set(changes: Partial<UserSettings>): Promise<UserSettings & Withdrawn> }
  readonly #ground: Ground
  readonly #scope: Scope
  readonly #appending: Appending

  constructor(ground: Ground, scope: Scope) {
    this.#ground = ground
    this.#scope = scope
    this.#appending = new Appending(ground, scope)
    this.sessions = new UserSessions(ground, scope, (name) => this.forget({ session: name }))
    const calls: LayerCalls = {
      guarded: callsOn(ground, scope.partition, () => ground.ready(scope)),
      recall: (query, options) => this.recall(query, options),
      distil: (session, options) => this.distil(session, options),
    }
    this.blocks = new Blocks(calls, { isProject: false })
    this.gists = new UserGists(calls)
    this.bank = new Bank(calls)
    this.documents = new Documents({ ...calls, memorize: (session, options) => this.#memorize(session, options) })
    this.notes = new UserNotes(calls, ground)
    this.facts = new UserFacts(calls, ground, scope.partition)
    this.settings = {
      get: () => this.#call('settings', {}, () => this.#settings()),
      set: (changes) => this.#call('settings', {}, () => this.#setSettings(checkedUserSettings(changes))),
    }
  }

  /**
   * Reads a session now, whether it is due or not: its gist and the bank's entries are made, or brought up to date. NotFound
   * for a session that is not there. With no layer switched on it does nothing.
   */
  async distil(session: string, options: CallOptions = {}): Promise<void> {
    const name = sessionName(session)
    const { engine, layers, distil } = this.#ground
    return this.#call('distil', options, () =>
      distil(() => engine.read('upkeep.dueSession', this.#scope.partition, name, layers), options.signal),
    )
  }

  /**
   * Stores messages; returns when they are durable. All of a batch or none of it: InvalidMessage names the place of the
   * first that cannot be stored. A message whose `id` the session already has is reported as a duplicate. A large batch is read in slices:
   * its messages are not to be changed before it is stored. One of more than 1,000 messages or 2 MiB is stored in parts, in order: when the
   * store fails between them, AppendIncomplete says how many are stored; a process that ends between them leaves its first parts.
   *
   * @example await ada.append('session-1', { role: 'user', content: 'The kiosk opens on the 16th.' })
   */
  async append(session: string, messages: AppendInput | readonly AppendInput[], options: CallOptions = {}): Promise<AppendResult> {
    return this.#appending.append(session, messages, options)
  }

  /**
   * Puts new words in a message's place (same id and seq); the old ones are erased like forgotten ones. NotFound for
   * an id of another partition.
   */
  async replace(id: string, content: string, options: CallOptions = {}): Promise<{ message: Message; receipt: Receipt }> {
    const { engine, observer, finishErasure, appended } = this.#ground
    checkText('content', content, maxContentBytes, (field, reason) => {
      throw new InvalidOption({ option: field, received: shown(content), expected: `text, but it ${reason}` })
    })
    return this.#call('replace', options, async () => {
      const { message, receipt } = await this.#erasing(() => engine.write('log.replace', this.#scope.partition, String(id), content))
      observer.count('replaced')
      appended()
      observer.emit({ type: 'replaced', ...this.#who(), message: message.id })
      return { message, receipt: await finishErasure(receipt) }
    })
  }

  /**
   * A session's newest messages, oldest first; `before` is a seq, to page back. Default limit 50; `tools: false`
   * leaves tool messages out. A page of over 16 MiB of text ends early, and its own `before` says where the next one
   * goes on.
   */
  async messages(session: string, options: CallOptions & { limit?: number; before?: number; tools?: boolean } = {}): Promise<MessageList> {
    const name = sessionName(session)
    const request = {
      limit: inRange('limit', givenObject('options', options).limit ?? 50, 1, 10_000, true),
      ...(options.before === undefined ? {} : { before: inRange('before', options.before, 1, Number.MAX_SAFE_INTEGER, true) }),
      tools: options.tools ?? true,
    }
    const { messages, before } = await this.#call('messages', options, () =>
      this.#ground.engine.read('log.messages', this.#scope.partition, name, request),
    )
    return before === undefined ? messages : Object.assign([...messages], { before })
  }

  /**
   * Finds messages by what they say, and with `kinds` what was derived from them. Questions are words, never syntax.
   * Fails open: when the store does not answer in time, there are no hits, and `degraded` says so.
   */
  async recall(query: string, options: RecallOptions & CallOptions = {}): Promise<Recalled> {
    return recallOn(
      this.#ground,
      { partition: this.#scope.partition, ...this.#who(), ready: () => this.#ground.ready(this.#scope) },
      query,
      options,
    )
  }

  /** Puts together what the model will read: recent turns, then what else matters, never over `maxTokens`. Fails open as recall does. */
  async context(options: ContextOptions & CallOptions): Promise<Context> {
    const { engine, clock, observer, questions } = this.#ground
    const now = clock.now()
    const request = contextRequest(uuidv7(now), options, now)
    const start = performance.now()
    const empty: Context = { id: request.id, text: '', tokens: 0, sections: [], omitted: [], degraded: [] }
    const context = await this.#open('context', options, empty, async () => {
      const { vector, degraded } = await questions.of(this.#scope.partition, request.recall.query)
      const assembled = await engine.read('context.assemble', this.#scope.partition, request, vector)
      if (request.session !== undefined && assembled.record.messages.length > 0) {
        await atMost(longestNotingMs, this.#remember(request.session, assembled.record))
      }
      return withDegraded(assembled.context, degraded)
    })
    observer.count('contexts')
    observer.emit({ type: 'context', ...this.#who(), id: context.id, tokens: context.tokens, ms: performance.now() - start })
    return context
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
    return compactOn(this.#ground, this.#scope, messages, options)
  }

  /**
   * Whether a conversation takes `at` (default .8) of a model's `window`, by estimated tokens; tells at once. Of over
   * 1,000 messages only some are looked into.
   */
  shouldCompact(messages: readonly object[], options: ShouldCompactOptions): boolean {
    return shouldCompact(messages, options)
  }

  /** What there is of this user: counts, recent sessions, and what holds now by subject, with its sources. */
  async profile(options: CallOptions = {}): Promise<Profile> {
    return this.#call('profile', options, () => this.#ground.engine.read('privacy.profile', this.#scope.partition))
  }

  /** What `forget` would erase, by kind; nothing is done. */
  async previewForget(what: ForgetInput, options: CallOptions = {}): Promise<Readonly<Record<string, number>>> {
    const selection = forgetSelection(what)
    return this.#call('forget', options, () => this.#ground.engine.read('privacy.preview', this.#scope.partition, selection))
  }

  /**
   * Erases messages and all that rests on them. `before` is strict. When it returns, nothing of it is in any answer;
   * `physical: done` says that the words are gone from the files' bytes too, `pending` that upkeep will finish that.
   * Much is taken out in several transactions, with other calls between: when it fails, some may be gone, `receipts.list()`
   * says how much, and the same call takes out the rest; of `messages`, name those that are left.
   */
  async forget(what: ForgetInput, options: CallOptions = {}): Promise<Receipt> {
    const { engine, observer, finishErasure } = this.#ground
    const selection = forgetSelection(what)
    return this.#call('forget', options, async () => {
      const { receipt } = await this.#erasing(() => engine.write('privacy.forget', this.#scope.partition, selection))
      observer.count('forgotten', receipt.counts['message'] ?? 0)
      observer.emit({ type: 'forgotten', ...this.#who(), receipt: receipt.id, counts: receipt.counts })
      return finishErasure(receipt)
    })
  }

  /** Reads a session for documents, on or not, and works in what waits. */
  async #memorize(session: SessionName, options: CallOptions): Promise<Memorized> {
    const { engine, layers, distil, documents, appended: hint } = this.#ground
    const { partition } = this.#scope
    return this.#call('memorize', options, async () => {
      await distil(
        () => engine.read('upkeep.dueSession', partition, session, layers | (bitOf('documents') << onceShift)),
        options.signal,
        bitOf('documents'),
      )
      const { done: facts, documents: written } = await documents({ partition }, options.signal)
      hint()
      return {
        facts,
        documents: [...new Map(written.map((one) => [one.name, one])).values()],
        waiting: await engine.read('upkeep.factsWaiting', partition),
      }
    })
  }

  /**
   * What was shown, so that its echo is known, in other processes too. A store that cannot be written now may still
   * be read: then it is noted later, or not.
   */
  async #remember(session: SessionName, record: ContextRecord): Promise<void> {
    const { engine, observer } = this.#ground
    try {
      await engine.write('log.saveContext', this.#scope.partition, session, record)
    } catch (error) {
      // Whatever it was: there is nobody left to tell it to.
      const { code, message } = error instanceof VarveError ? error : { code: 'STORE_FAILED', message: String(error) }
      observer.warn(code, `what a context showed was not noted, so its echo may be indexed: ${message}`, `context ${code}`)
    }
  }

  async #settings(): Promise<UserSettings> {
    return { share: await this.#ground.engine.read('projects.sharesByDefault', this.#scope.partition) }
  }

  async #setSettings({ share }: Partial<UserSettings>): Promise<UserSettings & Withdrawn> {
    const { engine, finishErasure } = this.#ground
    const { receipt } = share === undefined ? {} : await engine.write('projects.shareByDefault', this.#scope.partition, share)
    return { ...(await this.#settings()), ...(receipt === undefined ? {} : { receipt: await finishErasure(receipt) }) }
  }

  /** Erases something, from the files of notes as well. */
  #erasing<Result>(erase: () => Promise<Result>): Promise<Result> {
    const { mirror } = this.#ground
    return mirror === undefined ? erase() : mirror.erasing([this.#scope.partition], erase)
  }

  #who(): { project: string; user?: string } {
    const { project, owner } = this.#scope
    return owner.kind === 'user' ? { project, user: owner.name } : { project }
  }

  #call<Result>(operation: string, options: CallOptions, start: () => Promise<Result>): Promise<Result> {
    return whenReady(operation, options, () => this.#ground.ready(this.#scope), start)
  }

  #open<Result extends { degraded: readonly string[] }>(
    operation: string,
    options: CallOptions,
    empty: Result,
    start: () => Promise<Result>,
  ): Promise<Result> {
    return failingOpen(this.#ground, operation, empty, () => this.#call(operation, options, start))
  }
}

function checkedUserSettings(changes: Partial<UserSettings>): Partial<UserSettings> {
  const unknown = Object.keys(givenObject('settings', changes)).find((key) => key !== 'share')
  if (unknown !== undefined)
    throw new InvalidOption({ option: `settings.${unknown}`, received: shown(changes), expected: 'absent: a user has the setting share' })
  if (changes.share !== undefined && typeof changes.share !== 'boolean')
    throw new InvalidOption({ option: 'settings.share', received: shown(changes.share), expected: 'true or false' })
  return changes
}
