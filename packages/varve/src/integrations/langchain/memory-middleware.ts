import { type AgentMiddleware, AIMessage, type BaseMessage, createMiddleware, HumanMessage, ToolMessage } from 'langchain'
import { LRUCache } from 'lru-cache'
import type { MessageInput } from '../../messages/message.ts'
import type { ScopeInput } from '../../scope/scope.ts'
import { listField, textField } from '../../turns/outside-json.ts'
import { saidWords } from '../../turns/said.ts'
import type { TurnPlace } from '../../turns/turn-captures.ts'
import { type BegunCall, TurnDoor } from '../../turns/turn-door.ts'
import { aScope, aSession, type TurnOptions } from '../../turns/turn-options.ts'
import { isHuman, saidInMessage, turnMessages, turnSeed, turnStart } from './said-message.ts'

/** What an invocation says of itself: `configurable` of its config, such as `thread_id`, and its context. */
export interface AgentRun {
  readonly configurable: unknown
  readonly context: unknown
}

export interface MemoryMiddlewareOptions extends TurnOptions {
  /** Whose memory, or a function that tells it of the invocation. */
  readonly scope: ScopeInput | ((run: AgentRun) => ScopeInput)
  /** The session, or a function that tells it. Default: `thread_id`. Without one nothing is stored. */
  readonly session?: string | ((run: AgentRun) => string | undefined) | undefined
}

/** A turn that began, and the place of its first message. */
interface BegunTurn extends BegunCall {
  readonly place: TurnPlace
  readonly start: number
  readonly said: readonly MessageInput[]
}

/** The turns of a process that are known again. */
const mostTurns = 1_000

/** The middleware of a memory. */
export interface RememberingMiddleware extends AgentMiddleware {
  /** Resolves when nothing waits to be stored: await it before a memory is closed. */
  readonly settled: () => Promise<void>
  /** How often memory gave nothing or could not store, by what it was to do and why: `context memory-late`. */
  readonly failures: ReadonlyMap<string, number>
}

/**
 * Makes a middleware that gives LangChain's agents a memory: before a turn the model reads what fits its question, and both
 * sides are stored.
 *
 * @example
 * const memory = varveMiddleware({ memory: await openMemory(), scope: { user: 'ada' } })
 * const agent = createAgent({ model, tools, middleware: [memory] })
 */
export function varveMiddleware(options: MemoryMiddlewareOptions): RememberingMiddleware {
  const door = new TurnDoor('varve/langchain', options, { scope: aScope, session: aSession })
  const middleware = new MemoryTurns(door, options).middleware()
  return Object.assign(middleware, { settled: () => door.settled(), failures: door.failures.counts })
}

/** Memory in the turns of LangChain's agents. */
class MemoryTurns {
  readonly #door: TurnDoor
  readonly #options: MemoryMiddlewareOptions
  /** What tells each turn from others, by the id of its question: it stays when another middleware shortens the history. */
  readonly #seeds = new LRUCache<string, string>({ max: mostTurns })

  constructor(door: TurnDoor, options: MemoryMiddlewareOptions) {
    this.#door = door
    this.#options = options
  }

  /** Makes the middleware. A later hook than this one is not told the invocation's context. */
  middleware(): AgentMiddleware {
    return createMiddleware({
      name: 'VarveMemory',
      wrapModelCall: async (request, handler) => {
        const { messages } = request
        const { failures } = this.#door
        const begun = await failures.safely('context', () => this.#begun(messages, request.runtime))
        if (begun === undefined) return handler(request)
        const { text, start } = begun
        const reply = await handler({
          ...request,
          messages: text === undefined ? messages : messages.toSpliced(start, 0, new HumanMessage(text)),
        })
        await failures.safely('append', () => this.#ended(messages, repliesIn(reply), begun))
        return reply
      },
    })
  }

  async #begun(messages: readonly BaseMessage[], runtime: object): Promise<BegunTurn | undefined> {
    const start = turnStart(messages)
    const place = start === -1 ? undefined : this.#placeOf(runtime)
    if (place === undefined) return undefined
    const said = this.#said(messages, start, place)
    return { place, start, said, ...(await this.#door.begins(place, questionOf(messages, start, place), said)) }
  }

  async #ended(messages: readonly BaseMessage[], replies: readonly BaseMessage[], { place, start, said, asked }: BegunTurn): Promise<void> {
    const whole = { asked, messages: this.#said([...messages, ...replies], start, place).slice(said.length) }
    // A tool may forget: what was said before it is stored before it, else it would be stored after it.
    if (replies.some((one) => listField(one, 'tool_calls').length > 0)) await this.#door.stored(place, whole)
    else if (replies.length > 0) void this.#door.take(place, whole)
  }

  /** Gives the messages of the newest turn. */
  #said(messages: readonly BaseMessage[], start: number, { key }: TurnPlace) {
    const question = JSON.stringify([key, messages[start]?.id ?? messages[start]?.text])
    const seed = this.#seeds.get(question) ?? turnSeed(messages, start)
    this.#seeds.set(question, seed)
    return turnMessages(messages, start, seed)
  }

  #placeOf(runtime: object): TurnPlace | undefined {
    const { scope, session = threadOf } = this.#options
    const { configurable, context }: Partial<AgentRun> = runtime
    const run = { configurable, context }
    return this.#door.place(() => ({
      scope: typeof scope === 'function' ? scope(run) : scope,
      session: typeof session === 'function' ? session(run) : session,
    }))
  }
}

function questionOf(messages: readonly BaseMessage[], start: number, { session, key }: TurnPlace) {
  const said = messages.slice(start).filter(isHuman)
  // A host that sends only its newest message is told of the turns before.
  const running = session === undefined ? {} : start > 0 ? { excludeSession: session } : { session }
  return {
    name: JSON.stringify([key, start, said.map(({ id, text }) => [id, text])]),
    query: said.map((message) => saidWords(saidInMessage(message) ?? { role: 'user', parts: [] })).join('\n\n'),
    isUnderWay: start + said.length < messages.length,
    ...running,
  }
}

/** Gives the messages of an answer: one, or those by which an answer to a schema is told. */
function repliesIn(reply: unknown): BaseMessage[] {
  const messages: readonly unknown[] = AIMessage.isInstance(reply) ? [reply] : listField(reply, 'messages')
  return messages.filter((message) => AIMessage.isInstance(message) || ToolMessage.isInstance(message))
}

function threadOf({ configurable }: AgentRun): string | undefined {
  return textField(configurable, 'thread_id')
}
