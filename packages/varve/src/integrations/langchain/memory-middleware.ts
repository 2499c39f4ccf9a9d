import { type DoorLimits, doorLimits } from '../../turns/door-limits.ts'
import { type AgentMiddleware, AIMessage, type BaseMessage, createMiddleware, HumanMessage } from 'langchain'
import { LRUCache } from 'lru-cache'
import type { UserMemory } from '../../memory/user-memory.ts'
import type { ScopeInput } from '../../scope/scope.ts'
import { HeldContexts, type HoldingMemory } from '../../turns/held-contexts.ts'
import { type TurnFailed, warnsOnce } from '../../turns/keep-turn.ts'
import { textField } from '../../turns/outside-json.ts'
import { saidWords } from '../../turns/said.ts'
import type { TurnMemories } from '../../turns/turn-memory.ts'
import { turnQuery } from '../../turns/turn-query.ts'
import { TurnCaptures } from '../../turns/turn-captures.ts'
import { isHuman, saidInMessage, turnMessages, turnSeed, turnStart } from './said-message.ts'

/** What an invocation says of itself: `configurable` of its config, such as `thread_id`, and its context. */
export interface AgentRun {
  readonly configurable: unknown
  readonly context: unknown
}

/** The part of a user's memory that an agent's turns need. */
export type AgentTurnMemory = HoldingMemory & Pick<UserMemory, 'append'>

export interface MemoryMiddlewareOptions extends DoorLimits {
  /** A memory of the library, or one of `varve/client`. */
  readonly memory: TurnMemories<AgentTurnMemory>
  /** Whose memory, or a function that tells it of the invocation. */
  readonly scope: ScopeInput | ((run: AgentRun) => ScopeInput)
  /** The session, or a function that tells it. Default: `thread_id`. Without one nothing is stored. */
  readonly session?: string | ((run: AgentRun) => string | undefined)
  /** Shares and limits of the context by tier. */
  readonly tiers?: Parameters<UserMemory['context']>[0]['tiers']
  /** Takes the work that goes on after an answer: `waitUntil` of a serverless platform. */
  readonly waitUntil?: (work: Promise<unknown>) => void
  /** Told when memory gave nothing or could not store: codes, and no content. Default: one warning of the process for each. */
  readonly onFailed?: TurnFailed
}

/** The turns of a process that are known again. */
const mostTurns = 1_000

/** Whose turn it is. */
interface TurnPlace {
  readonly memory: AgentTurnMemory
  readonly session: string | undefined
  /** Identifies the scope and the session. */
  readonly key: string
}

/** Memory in the turns of LangChain's agents. */
export class MemoryTurns {
  readonly #options: MemoryMiddlewareOptions
  readonly #failed: TurnFailed
  readonly #captures: TurnCaptures
  readonly #held = new HeldContexts()
  /** What tells each turn from others, by the id of its question: it stays when another middleware shortens the history. */
  readonly #seeds = new LRUCache<string, string>({ max: mostTurns })

  constructor(options: MemoryMiddlewareOptions) {
    this.#options = options
    this.#failed = options.onFailed ?? warnsOnce('varve/langchain')
    this.#captures = new TurnCaptures(this.#failed)
  }

  /** Makes the middleware. A later hook than this one is not told the invocation's context. */
  middleware(): AgentMiddleware {
    return createMiddleware({
      name: 'VarveMemory',
      wrapModelCall: async (request, handler) => {
        const { messages } = request
        const start = turnStart(messages)
        const place = start === -1 ? undefined : this.#placeOf(request.runtime)
        if (place === undefined) return handler(request)
        const text = await this.#contextOf(messages, start, place)
        // After memory was asked: else the question would be among its own newest turns.
        this.#keep(messages, start, place)
        const reply = await handler({
          ...request,
          messages: text === undefined ? messages : messages.toSpliced(start, 0, new HumanMessage(text)),
        })
        if (AIMessage.isInstance(reply)) this.#keep([...messages, reply], start, place)
        return reply
      },
    })
  }

  /** Resolves when all that was said is stored, or was given up. */
  settled(): Promise<void> {
    return this.#captures.settled()
  }

  async #contextOf(messages: readonly BaseMessage[], start: number, { memory, session, key }: TurnPlace): Promise<string | undefined> {
    const said = messages.slice(start).filter(isHuman)
    const query = turnQuery(said.map((message) => saidWords(saidInMessage(message) ?? { role: 'user', parts: [] })).join('\n\n'))
    if (query.trim() === '') return undefined
    // A host that sends only its newest message is told of the turns before.
    const running = session === undefined ? {} : start > 0 ? { excludeSession: session } : { session }
    const turn = JSON.stringify([key, start, said.map(({ id, text }) => [id, text])])
    const isUnderWay = start + said.length < messages.length
    const { text, degraded } = await this.#held.shown(memory, turn, isUnderWay, {
      query,
      tiers: this.#options.tiers,
      ...running,
      ...doorLimits(this.#options),
    })
    for (const reason of degraded) if (reason !== 'memory-partial') this.#failed('context', reason)
    return text
  }

  /** Stores the newest turn, behind the agent's back. */
  #keep(messages: readonly BaseMessage[], start: number, { memory, session, key }: TurnPlace): void {
    if (session === undefined) return
    const question = JSON.stringify([key, messages[start]?.id ?? messages[start]?.text])
    const seed = this.#seeds.get(question) ?? turnSeed(messages, start)
    this.#seeds.set(question, seed)
    const stored = this.#captures.take(memory, key, session, turnMessages(messages, start, seed))
    this.#options.waitUntil?.(stored)
  }

  /** Finds whose turn it is. A scope or a memory that is none costs the turn its memory, and not its answer. */
  #placeOf(runtime: object): TurnPlace | undefined {
    const { memory, scope, session = threadOf } = this.#options
    const { configurable, context }: Partial<AgentRun> = runtime
    const run = { configurable, context }
    try {
      const of = typeof scope === 'function' ? scope(run) : scope
      const name = typeof session === 'function' ? session(run) : session
      const handle = memory.for(of)
      return { memory: handle, session: name, key: JSON.stringify([of, name ?? null]) }
    } catch {
      this.#failed('context', 'SCOPE_INVALID')
      return undefined
    }
  }
}

function threadOf({ configurable }: AgentRun): string | undefined {
  return textField(configurable, 'thread_id')
}
