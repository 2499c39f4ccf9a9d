import { randomUUID } from 'node:crypto'
import type { UserMemory } from '../../memory/user-memory.ts'
import { type DoorLimits, doorLimits } from '../../turns/door-limits.ts'
import { HeldContexts, type HoldingMemory } from '../../turns/held-contexts.ts'
import { keepTurn, type TurnFailed, warnsOnce } from '../../turns/keep-turn.ts'
import { inTime } from '../../turns/in-time.ts'
import type { TurnAsking } from '../../turns/turn-context.ts'
import type { TurnMemories } from '../../turns/turn-memory.ts'
import { turnQuery } from '../../turns/turn-query.ts'
import { mastraToStore, mastraWords, saidNow, repliesIn } from './mastra-messages.ts'
import { type MastraRun, type MastraScope, runOf, usualScope } from './mastra-scope.ts'
import type { MastraMessageList, MastraPromptMessage, MastraRequestContext } from './mastra-shapes.ts'

/** The part of a user's memory that an agent's runs need. */
export type MastraMemory = HoldingMemory & Pick<UserMemory, 'append'>

/** Options of `varveProcessors`. */
export interface MastraOptions extends DoorLimits {
  /** A memory of the library, or one of `varve/client`. */
  readonly memory: TurnMemories<MastraMemory>
  /**
   * Tells whose memory a run uses; undefined for none. Default: the resource is the user, the thread the session, and a
   * run without both has none.
   */
  readonly scope?: (run: MastraRun) => MastraScope | undefined
}

/** The arguments that Mastra hands to a processor, as far as they are used. */
interface MastraArguments<List> {
  readonly messageList: List
  readonly state: Record<string, unknown>
  readonly requestContext?: MastraRequestContext
}

interface EndedRun<List> extends MastraArguments<List> {
  readonly result: { readonly finishReason: string }
}

/** A processor that stands among an agent's input processors. */
export interface VarveInputProcessor {
  readonly id: string
  readonly name: string
  processInput<List extends MastraMessageList>(run: MastraArguments<List>): Promise<List>
  processLLMRequest<Message extends MastraPromptMessage>(step: {
    readonly prompt: Message[]
    readonly state: Record<string, unknown>
  }): Promise<{ prompt: Message[] } | undefined>
}

/** A processor that stands among an agent's output processors. */
export interface VarveOutputProcessor {
  readonly id: string
  readonly name: string
  processOutputResult<List extends MastraMessageList>(run: EndedRun<List>): Promise<List>
}

/** Varve's two processors of an agent. */
export interface VarveProcessors {
  /** Asks memory, and stores what the person said. It stands first: what a later one stops is stored then. */
  readonly input: VarveInputProcessor
  /** Stores the reply. It stands last: what an earlier one stops or changes is not stored as it was. */
  readonly output: VarveOutputProcessor
}

/** A run that is under way. */
interface Turn {
  /** Names its context among those that are held. */
  readonly name: string
  readonly asking: TurnAsking
  readonly memory: MastraMemory
  readonly session: string
  readonly kept: Promise<boolean>
}

/**
 * Gives an agent of Mastra's memory: what is known goes into the prompt of each step, as marked data within the person's
 * own message, and both sides of the turn are stored. Never fails a run: without memory it goes on.
 *
 * @example const varve = varveProcessors({ memory: await openMemory() })
 * new Agent({ ..., inputProcessors: [varve.input], outputProcessors: [varve.output] })
 */
export function varveProcessors({ memory, scope = usualScope, ...given }: MastraOptions): VarveProcessors {
  const processors = new Processors(memory, scope, doorLimits(given))
  const named = { id: 'varve', name: 'Varve' }
  return {
    input: {
      ...named,
      processInput: async (run) => {
        await processors.begins(run)
        return run.messageList
      },
      processLLMRequest: ({ prompt, state }) => processors.tells(prompt, state),
    },
    output: {
      ...named,
      processOutputResult: async (run) => {
        await processors.ends(run)
        return run.messageList
      },
    },
  }
}

class Processors {
  readonly #memory: TurnMemories<MastraMemory>
  readonly #scope: (run: MastraRun) => MastraScope | undefined
  readonly #limits: Required<DoorLimits>
  readonly #failed: TurnFailed = warnsOnce('varve/mastra')
  /** By the state that Mastra hands to both processors of a run. */
  readonly #turns = new WeakMap<object, Turn>()
  readonly #held = new HeldContexts()

  constructor(memory: TurnMemories<MastraMemory>, scope: (run: MastraRun) => MastraScope | undefined, limits: Required<DoorLimits>) {
    this.#memory = memory
    this.#scope = scope
    this.#limits = limits
  }

  /** Memory is asked before the message is stored: else the message is among its own newest turns. */
  async begins({ messageList, state, requestContext }: MastraArguments<MastraMessageList>): Promise<void> {
    const place = this.#placeOf(messageList, requestContext)
    if (place === undefined) return
    const { memory, session } = place
    const said = saidNow(messageList.get.input.db())
    // What the host shows of the conversation need not be told again.
    const isHosts = messageList.get.all.db().some(({ role }) => role === 'assistant')
    const query = turnQuery(said.map(mastraWords).join('\n\n'))
    const asking = { query, ...(isHosts ? { excludeSession: session } : { session }), ...this.#limits }
    const turn = { name: randomUUID(), asking, memory, session }
    await this.#told(turn, false)
    const kept = keepTurn(memory, { session, messages: said.flatMap(mastraToStore) }, this.#failed)
    this.#turns.set(state, { ...turn, kept })
    await this.#waited(kept)
  }

  /** Puts what is known before the words of the newest question. The host keeps its own messages without it. */
  async tells<Message extends MastraPromptMessage>(prompt: readonly Message[], state: object): Promise<{ prompt: Message[] } | undefined> {
    const turn = this.#turns.get(state)
    const at = prompt.findLastIndex(({ role }) => role === 'user')
    const question = prompt[at]
    if (turn === undefined || question === undefined || !Array.isArray(question.content)) return undefined
    const told = await this.#told(turn, true)
    if (told === undefined) return undefined
    return { prompt: prompt.with(at, { ...question, content: [{ type: 'text', text: told }, ...question.content] }) }
  }

  /** A run that was paused and goes on has another state: its scope is read again. */
  async ends({ messageList, state, requestContext, result }: EndedRun<MastraMessageList>): Promise<void> {
    const turn = this.#turns.get(state) ?? this.#placeOf(messageList, requestContext)
    if (turn === undefined) return
    const { memory, session } = turn
    const said = repliesIn(messageList.get.response.db(), result.finishReason === 'aborted')
    const before = 'kept' in turn ? turn.kept : undefined
    await this.#waited(
      (async () => {
        await before
        return keepTurn(memory, { session, messages: said.flatMap(mastraToStore) }, this.#failed)
      })(),
    )
  }

  /** Gives what a turn is told: the same in each step, and nothing that was forgotten since. */
  async #told({ memory, name, asking }: Pick<Turn, 'memory' | 'name' | 'asking'>, isUnderWay: boolean): Promise<string | undefined> {
    if (asking.query.trim() === '') return undefined
    const { text, degraded } = await this.#held.shown(memory, name, isUnderWay, asking)
    for (const reason of degraded) if (reason !== 'memory-partial') this.#failed('context', reason)
    return text
  }

  #placeOf(messageList: MastraMessageList, requestContext: MastraRequestContext | undefined) {
    try {
      const scope = this.#scope(runOf(messageList, requestContext))
      if (scope === undefined) {
        if (this.#scope === usualScope) this.#failed('context', 'the run has no resource and thread')
        return undefined
      }
      const { session, ...whose } = scope
      return { memory: this.#memory.for(whose), session }
    } catch {
      this.#failed('context', 'the scope of a run cannot be told')
      return undefined
    }
  }

  /** What is not stored in time is stored later: the run does not wait for it. */
  async #waited(kept: Promise<boolean>): Promise<void> {
    await inTime('append', this.#limits.deadlineMs, () => kept).catch(() => false)
  }
}
