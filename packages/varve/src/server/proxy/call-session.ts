import { createHash } from 'node:crypto'
import { reasonToRefuse } from '../../scope/name.ts'
import type { CallSettings } from './call-settings.ts'
import type { Conversation } from './conversation.ts'
import { type FirstTurn, type FirstTurns, sessionOpenedBy } from './first-turns.ts'
import type { KnownReplies } from './known-replies.ts'
import type { ProxyScope } from './proxy-means.ts'
import type { Utterance } from '../../turns/said.ts'
import type { WireApi } from './wire-api.ts'

export interface SessionMeans {
  readonly firstTurns: FirstTurns
  readonly replies: KnownReplies
}

export interface SessionCall {
  readonly api: WireApi
  readonly scope: ProxyScope
  readonly settings: CallSettings
}

/** Identifies whose memory a call uses. */
export function scopeKey({ project, user }: ProxyScope): string {
  return JSON.stringify([project, user ?? null])
}

/** Tells in which session the words of a call are stored, and by which ids. */
export class CallSession {
  /** Makes the ids of the call's messages. Empty where their words, and all that was said before, tell one that is sent again. */
  readonly seed: string
  readonly #means: SessionMeans
  readonly #call: SessionCall
  readonly #conversation: Conversation
  /** The id of the reply from which the provider goes on, or true when it keeps the conversation in another way. */
  readonly #kept: string | boolean
  readonly #named: string | undefined
  /** The session, where it is known before the reply. */
  readonly #known: string | undefined
  readonly #turn: FirstTurn | undefined
  readonly #isAgain: boolean

  constructor(means: SessionMeans, call: SessionCall, conversation: Conversation, turnId: string) {
    this.#means = means
    this.#call = call
    this.#conversation = conversation
    const { body, hasHistory, isContinued } = conversation
    this.#kept = call.api.keptByProvider(body)
    this.#named = call.settings.session ?? sessionInBody(call.api, body)
    if (isContinued) means.firstTurns.learnHistoryOf(call.scope.keyId)
    if (hasHistory || typeof this.#kept === 'string') {
      this.seed = ''
      this.#isAgain = false
      this.#known = this.#named ?? this.#sessionOfReply() ?? (hasHistory ? this.#sessionOfHistory() : undefined)
      return
    }
    const isSeeded = this.#named !== undefined || this.#kept === true
    const { turn, isAgain } = this.#firstTurn(isSeeded ? turnId : '')
    this.#turn = turn
    this.#isAgain = isAgain
    this.seed = isSeeded ? (call.settings.idempotencyKey ?? turn.seed) : ''
    this.#known = this.#named ?? turn.session
  }

  /** True when the call goes on from a reply to somebody else. */
  get isOfAnother(): boolean {
    return typeof this.#kept === 'string' && this.#means.replies.isOfAnother(this.#kept, scopeKey(this.#call.scope))
  }

  /** The running session as memory is asked for it. What the host or the provider keeps of it need not be told. */
  get told(): { readonly session?: string; readonly excludeSession?: string } {
    if (this.#known === undefined) return {}
    const isHosts = this.#conversation.hasHistory || this.#kept !== false || this.#isRegenerated
    return isHosts ? { excludeSession: this.#known } : { session: this.#known }
  }

  /** Gives the session, by the reply where it has no other name. */
  ended(reply: Utterance, replyId: string | undefined, isWhole: boolean): string {
    const { firstTurns, replies } = this.#means
    const { scope } = this.#call
    const opening = this.#opening(reply)
    const session = this.#known ?? this.#turn?.session ?? sessionOpenedBy(opening)
    if (this.#turn !== undefined) this.#turn.isAnswered ||= isWhole
    if (this.#turn !== undefined && this.#named === undefined) {
      this.#turn.session ??= session
      firstTurns.learn(opening, session)
    }
    const { project, keyId } = scope
    if (replyId !== undefined) replies.learn(replyId, { project, scope: scopeKey(scope), keyId }, session)
    return session
  }

  /** True for another try at a first turn: nothing was said before it, whatever is held of its session. */
  get #isRegenerated(): boolean {
    if (!this.#isAgain || this.#turn?.isFirst !== true) return false
    return this.#named === undefined || this.#means.firstTurns.sendsHistory(this.#call.scope.keyId)
  }

  #sessionOfReply(): string | undefined {
    return typeof this.#kept === 'string' ? this.#means.replies.sessionOf(this.#kept) : undefined
  }

  #sessionOfHistory(): string {
    return this.#means.firstTurns.session(this.#opening(), this.#conversation.isContinued)
  }

  #opening(reply?: Utterance): string {
    const { project, user } = this.#call.scope
    return this.#conversation.openedBy([project, user ?? '', typeof this.#kept === 'string' ? this.#kept : ''], reply)
  }

  #firstTurn(seed: string): { readonly turn: FirstTurn; readonly isAgain: boolean } {
    const { scope, settings } = this.#call
    const asked = this.#conversation.asked()
    // What is held of turns outlasts a forgetting: it has no names.
    const key = hashed(JSON.stringify([scopeKey(scope), this.#kept, this.#named ?? null, this.#named === undefined ? asked : null]))
    if (settings.writes) return this.#means.firstTurns.turn(key, asked, seed, (before) => this.#repeats(before))
    return { turn: { at: 0, asked, seed, isFirst: true, session: undefined, isAnswered: false }, isAgain: false }
  }

  /**
   * Tells an equal request that is sent again from one that is said again. Without a named session it is sent again
   * until the conversation went on. In a named session “yes” may be said twice: there it is sent again when the client
   * says so, when the reply before did not come to its end, or when the client sends its history and this holds none.
   */
  #repeats(before: FirstTurn): boolean {
    const { scope, settings } = this.#call
    const { firstTurns } = this.#means
    if (this.#named === undefined && this.#kept === false) return before.session === undefined || !firstTurns.hasGoneOn(before.session)
    if (settings.isRetry || !before.isAnswered) return true
    return before.isFirst && this.#kept === false && firstTurns.sendsHistory(scope.keyId)
  }
}

function sessionInBody(api: WireApi, body: unknown): string | undefined {
  const session = api.sessionIn(body)
  if (session === undefined || reasonToRefuse(session) === undefined) return session
  return `proxy-${hashed(session).slice(0, 22)}`
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
