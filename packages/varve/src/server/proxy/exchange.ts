import type { IncomingMessage } from 'node:http'
import type { MessageInput } from '../../messages/message.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { CallSession, scopeKey, type SessionMeans } from './call-session.ts'
import type { CallSettings } from './call-settings.ts'
import type { Captures } from './captures.ts'
import { type Conversation, readConversation } from './conversation.ts'
import type { HeldTurns, ProxyTurn } from './held-turns.ts'
import { injected, memoryPlace } from './injected.ts'
import { fieldOf } from '../../turns/outside-json.ts'
import { answerWith, passedOn, type ReplyEnd } from './passed-on.ts'
import type { ProxyCounters } from './proxy-counters.ts'
import type { ProxyMeans, ProxyScope } from './proxy-means.ts'
import type { ProxyLimits, UpstreamServer } from './proxy-options.ts'
import { type Degraded, type Remembered, remembered } from './remembering.ts'
import { ReplyWatch } from './reply-watch.ts'
import { continued, messageToStore, type Utterance } from '../../turns/said.ts'
import { callUpstream, type UpstreamFailure, upstreamUrl } from './upstream-call.ts'
import { headersDownstream, headersUpstream } from './upstream-headers.ts'
import type { ReplyReader, WireApi } from './wire-api.ts'

/** What the calls of a proxy share. */
export interface ProxyState extends SessionMeans {
  readonly means: ProxyMeans
  readonly limits: ProxyLimits
  readonly held: HeldTurns
  readonly captures: Captures
  readonly counters: ProxyCounters
}

/** A call as it came, with the scope and settings that were read from it. */
export interface ProxiedCall {
  readonly api: WireApi
  readonly upstream: UpstreamServer
  readonly scope: ProxyScope
  readonly settings: CallSettings
  readonly request: Request
  readonly body: Buffer
  /** Cuts the client's connection, where the server can. */
  readonly cut?: () => void
}

const nothingRemembered: Remembered = { context: undefined, isKept: false, degraded: [] }

/** Identifies who may read a held turn. */
export function ownerKey(scope: ProxyScope): string {
  return JSON.stringify([scopeKey(scope), scope.keyId])
}

/** One call from its request to what is stored of it. */
export class Exchange {
  readonly #state: ProxyState
  readonly #call: ProxiedCall
  readonly #turn: ProxyTurn
  readonly #start = performance.now()
  readonly #text: string | undefined
  readonly #conversation: Conversation | undefined
  readonly #session: CallSession | undefined

  constructor(state: ProxyState, call: ProxiedCall) {
    this.#state = state
    this.#call = call
    const { api } = call
    const at = state.means.now()
    this.#turn = {
      id: uuidv7(at),
      at,
      api: api.name,
      status: 'running',
      promptBytes: call.body.length,
      memory: { tokens: 0, isKept: false, items: [], degraded: [] },
      remembered: { status: 'none', messages: [] },
      timings: {},
    }
    this.#text = textOf(call)
    this.#conversation = this.#text === undefined ? undefined : readConversation(api, this.#text)
    this.#session = this.#conversation === undefined ? undefined : new CallSession(state, call, this.#conversation, this.#turn.id)
  }

  get refusal(): string | undefined {
    return this.#session?.isOfAnother === true ? 'previous_response_id names no response of this user' : undefined
  }

  async answer(): Promise<Response> {
    const { api, upstream, request, scope, settings } = this.#call
    const { held, limits, means, counters } = this.#state
    counters.calls += 1
    const begun = held.mark()
    const memory = await this.#remember()
    const { mark = begun } = memory
    const body = this.#prompt(memory)
    // Whoever switches memory off leaves no prompt in this process either.
    if (settings.reads || settings.writes) held.hold(mark, scope.project, ownerKey(scope), this.#turn)
    if (memory.degraded.length > 0) counters.degraded += 1
    const { search } = new URL(request.url)
    const answer = await callUpstream({
      url: upstreamUrl(upstream.url, api.path, search),
      method: 'POST',
      headers: headersUpstream(request.headers, api.provider, { key: upstream.key, isVarveKey: means.isVarveKey }),
      body,
      timeoutMs: limits.upstreamTimeoutMs,
      signal: request.signal,
    })
    this.#turn.timings.firstByteMs = this.#since()
    return 'code' in answer ? this.#unanswered(answer, memory.degraded) : this.#passOn(answer, memory.degraded)
  }

  #since(): number {
    return performance.now() - this.#start
  }

  async #remember(): Promise<Remembered> {
    const { settings, scope } = this.#call
    const conversation = this.#conversation
    if (!settings.reads) return nothingRemembered
    const text = this.#text
    if (conversation === undefined || text === undefined) return { ...nothingRemembered, degraded: ['body-unread'] }
    const { question } = conversation
    if (question === undefined) return nothingRemembered
    const { maxTokens } = settings
    const memory = await remembered(this.#state.held, {
      ...{
        scope,
        owner: ownerKey(scope),
        question,
        place: memoryPlace(text, question),
        maxTokens,
        deadlineMs: this.#state.limits.deadlineMs,
      },
      session: this.#session?.told ?? {},
    })
    this.#turn.timings.memoryMs = this.#since()
    return memory
  }

  /** Makes the bytes that go upstream: those that came, with remembered text in its place. */
  #prompt({ context, isKept, degraded }: Remembered): Buffer {
    const { api, body } = this.#call
    Object.assign(this.#turn.memory, { isKept, degraded })
    const text = this.#text
    const question = this.#conversation?.question
    if (text === undefined || question === undefined || context === undefined) {
      if (text !== undefined) this.#turn.prompt = text
      return body
    }
    Object.assign(this.#turn.memory, { context: context.id, tokens: context.tokens, items: context.items })
    const prompt = injected(text, question, context.text, context.place, api.textType)
    const bytes = Buffer.from(prompt)
    this.#turn.prompt = prompt
    this.#turn.promptBytes = bytes.length
    return bytes
  }

  #unanswered({ status, code }: UpstreamFailure, degraded: readonly Degraded[]): Response {
    this.#state.counters.refused += 1
    this.#turn.status = 'failed'
    this.#turn.timings.totalMs = this.#since()
    const { upstreamTimeoutMs } = this.#state.limits
    const message = status === 504 ? `the upstream said nothing for ${upstreamTimeoutMs} ms` : 'the upstream cannot be reached'
    return Response.json(this.#call.api.error(status, code, message), { status, headers: this.#ownHeaders(degraded) })
  }

  #ownHeaders(degraded: readonly Degraded[]): Record<string, string> {
    return { 'varve-turn': this.#turn.id, ...(degraded.length === 0 ? {} : { 'varve-degraded': degraded.join(', ') }) }
  }

  #passOn(answer: IncomingMessage, degraded: readonly Degraded[]): Response {
    const status = answer.statusCode ?? 502
    this.#turn.upstreamStatus = status
    const isGood = status >= 200 && status < 300
    if (!isGood) this.#state.counters.refused += 1
    const headers = headersDownstream(answer.headers)
    for (const [name, value] of Object.entries(this.#ownHeaders(degraded))) headers.set(name, value)
    // Without it the server would wait for more of a stream before it sends the first piece.
    if (!headers.has('content-length')) headers.set('transfer-encoding', 'chunked')
    const reader = this.#call.api.reply()
    const watch = new ReplyWatch(reader, answer.headers, fieldOf(this.#conversation?.body, 'stream') === true)
    const { cut, request } = this.#call
    const taken = this.#state.captures.reply()
    const stream = passedOn(answer, {
      seen: (piece) => watch.see(piece),
      // After the last bytes have gone to the client.
      ended: (end) => void setImmediate(() => void this.#end(end, isGood ? watch : undefined, reader).finally(taken)),
      isStopped: () => request.signal.aborted,
      ...(cut === undefined ? {} : { cut }),
    })
    return answerWith(status, stream, headers)
  }

  async #end(end: ReplyEnd, watch: ReplyWatch | undefined, reader: ReplyReader): Promise<void> {
    this.#turn.timings.totalMs = this.#since()
    await watch?.end()
    const how = end === 'done' && watch?.hasFailed === true ? 'cut' : end
    if (how !== 'done') this.#state.counters[how] += 1
    this.#turn.status = watch === undefined ? 'failed' : how
    if (watch === undefined) return
    const conversation = this.#conversation
    const session = this.#session
    const { scope, settings } = this.#call
    if (conversation === undefined || session === undefined) return
    const reply = continued(conversation.prefill, reader.said())
    const name = session.ended(reply, reader.id, how === 'done')
    if (!settings.writes) return
    const take = (said: Utterance): void =>
      this.#state.captures.take(scope.memory, this.#turn, name, () => newMessagesOf(conversation, session.seed, said))
    take(reply)
    if (reader.id !== undefined && reader.isUnderWay === true && fieldOf(conversation.body, 'background') === true)
      this.#state.replies.expect(reader.id, { bytes: this.#call.body.length, take })
  }
}

function newMessagesOf(conversation: Conversation, seed: string, reply: Utterance): MessageInput[] {
  return [
    ...conversation.newest(seed).map(({ said, id }) => messageToStore(said, id)),
    messageToStore(reply, conversation.replyId(seed, reply)),
  ].filter((message) => message !== undefined)
}

/** Reads the body as text. One that is packed, or no UTF-8, goes upstream as it came. */
function textOf({ request, body }: ProxiedCall): string | undefined {
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity') return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
