import { randomUUID } from 'node:crypto'
import type { MessageInput } from '../../messages/message.ts'
import { validName } from '../../scope/name.ts'
import type { TurnPlace } from '../../turns/turn-captures.ts'
import { TurnDoor, type TurnQuestion } from '../../turns/turn-door.ts'
import type { TurnFailures } from '../../turns/turn-failures.ts'
import { aFunction, type TurnOptions } from '../../turns/turn-options.ts'
import { mastraToStore, mastraWords, repliesIn, saidNow, splitAtTools } from './mastra-messages.ts'
import { type MastraRun, type MastraScope, runOf, usualScope } from './mastra-scope.ts'
import type { MastraMessageList, MastraPromptMessage, MastraRequestContext } from './mastra-shapes.ts'

/** Options of `varveProcessors`. */
export interface MastraOptions extends TurnOptions {
  /**
   * Tells whose memory a run uses; undefined for none. Default: the resource is the user, the thread the session, and a
   * run without both has none.
   */
  readonly scope?: ((run: MastraRun) => MastraScope | undefined) | undefined
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
  /** Resolves when nothing waits to be stored: await it before a memory is closed. */
  settled(): Promise<void>
  /** How often memory gave nothing or could not store, by what it was to do and why: `context memory-late`. */
  readonly failures: ReadonlyMap<string, number>
}

/** A run that is under way. */
interface Turn {
  readonly place: TurnPlace
  readonly question: TurnQuestion
  /** The person's words. */
  readonly asked: readonly MessageInput[]
}

/**
 * Gives an agent of Mastra's memory: what is known goes into the prompt of each step, as marked data within the person's
 * own message, and both sides of the turn are stored. Never fails a run: without memory it goes on.
 *
 * @example const varve = varveProcessors({ memory: await openMemory() })
 * new Agent({ ..., inputProcessors: [varve.input], outputProcessors: [varve.output] })
 */
export function varveProcessors(options: MastraOptions): VarveProcessors {
  const door = new TurnDoor('varve/mastra', options, { scope: aFunction })
  const processors = new Processors(door, options.scope ?? usualScope)
  const named = { id: 'varve', name: 'Varve' }
  const safely: TurnFailures['safely'] = (doing, work) => door.failures.safely(doing, work)
  return {
    input: {
      ...named,
      processInput: async (run) => {
        await safely('context', () => processors.begins(run))
        return run.messageList
      },
      processLLMRequest: ({ prompt, state }) => safely('context', () => processors.tells(prompt, state)),
    },
    output: {
      ...named,
      processOutputResult: async (run) => {
        await safely('append', () => processors.ends(run))
        return run.messageList
      },
    },
    settled: () => door.settled(),
    failures: door.failures.counts,
  }
}

class Processors {
  readonly #door: TurnDoor
  readonly #scope: (run: MastraRun) => MastraScope | undefined
  /** By the state that Mastra hands to both processors of a run. */
  readonly #turns = new WeakMap<object, Turn>()

  constructor(door: TurnDoor, scope: (run: MastraRun) => MastraScope | undefined) {
    this.#door = door
    this.#scope = scope
  }

  async begins({ messageList, state, requestContext }: MastraArguments<MastraMessageList>): Promise<void> {
    const place = this.#placeOf(messageList, requestContext)
    const { session } = place ?? {}
    if (place === undefined || session === undefined) return
    const said = saidNow(messageList.get.input.db())
    // What the host shows of the conversation need not be told again.
    const isHosts = messageList.get.all.db().some(({ role }) => role === 'assistant')
    const running = isHosts ? { excludeSession: session } : { session }
    const question = { name: randomUUID(), isUnderWay: true, query: said.map(mastraWords).join('\n\n'), ...running }
    const asked = said.flatMap(mastraToStore)
    this.#turns.set(state, { place, question, asked })
    await this.#door.begins(place, question, asked)
  }

  /** Puts what is known before the words of the newest question. The host keeps its own messages without it. */
  async tells<Message extends MastraPromptMessage>(prompt: readonly Message[], state: object): Promise<{ prompt: Message[] } | undefined> {
    const turn = this.#turns.get(state)
    const at = prompt.findLastIndex(({ role }) => role === 'user')
    const asked = prompt[at]
    if (turn === undefined || asked === undefined || !Array.isArray(asked.content)) return undefined
    const { text } = await this.#door.told(turn.place, turn.question)
    if (text === undefined) return undefined
    return { prompt: prompt.with(at, { ...asked, content: [{ type: 'text', text }, ...asked.content] }) }
  }

  /** A run that was paused and goes on has another state: its scope is read again. */
  async ends({ messageList, state, requestContext, result }: EndedRun<MastraMessageList>): Promise<void> {
    const turn = this.#turns.get(state)
    const place = turn?.place ?? this.#placeOf(messageList, requestContext)
    if (place === undefined) return
    const said = repliesIn(messageList.get.response.db(), result.finishReason === 'aborted')
    await this.#door.ends(place, { name: turn?.question.name ?? '', asked: turn?.asked ?? [], ...splitAtTools(said) })
  }

  #placeOf(messageList: MastraMessageList, requestContext: MastraRequestContext | undefined): TurnPlace | undefined {
    return this.#door.place(() => {
      const found = this.#scope(runOf(messageList, requestContext))
      if (found === undefined) {
        if (this.#scope === usualScope) this.#door.failures.failed('context', 'the run has no resource and thread')
        return undefined
      }
      const { session, ...scope } = found
      return { scope, session: validName('session', session) }
    })
  }
}
