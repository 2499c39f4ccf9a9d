import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import { InvalidScope } from '../../errors/invalid-scope.ts'
import { shown } from '../../errors/shown.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { isPlain } from '../../scope/plain.ts'
import { isFields, type JsonFields } from '../../turns/outside-json.ts'
import { TurnDoor } from '../../turns/turn-door.ts'
import type { TurnMemories, TurnMemory } from '../../turns/turn-memory.ts'
import { aFunction, checkFields, type OptionCheck, type TurnOptions } from '../../turns/turn-options.ts'
import { type CallScope, checkedScope, type CheckedScope, joinedScope } from './call-scope.ts'
import { type KnownTurn, KnownTurns } from './known-turns.ts'
import {
  type CalledModel,
  type ModelCall,
  ownOptionsOf,
  type StreamedAnswer,
  type WholeAnswer,
  withPrompt,
  type WrappableModel,
} from './model-call.ts'
import { ModelTurn } from './model-turn.ts'
import { placedMemory } from './placed-memory.ts'
import { type PromptTalk, readPrompt } from './read-prompt.ts'

/** What a model was given to read, and whose memory it is from. */
export interface ShownMemory {
  readonly project?: string
  readonly user?: string
  readonly session?: string
  readonly context: Awaited<ReturnType<UserMemory['context']>>
}

export interface VarveMemoryOptions<Handle extends TurnMemory = TurnMemory> extends TurnOptions<Handle> {
  /** Told what a turn's model reads, when it does. */
  readonly onShown?: ((shown: ShownMemory) => void) | undefined
}

/** Whose memory an agent's tools use. */
export interface ToolScope {
  readonly scope: Pick<CallScope, 'project' | 'user' | 'session'>
  /** The agent's name, which is on what it writes. Default `agent`. */
  readonly writer?: string
}

/** A middleware for `wrapLanguageModel`. A call tells whose memory it uses in `providerOptions.varve`. */
export interface MemoryMiddleware {
  readonly specificationVersion: 'v4'
  transformParams<Call extends ModelCall>(options: { readonly params: Call }): Promise<Call>
  wrapGenerate<Answer extends WholeAnswer>(options: {
    readonly doGenerate: () => PromiseLike<Answer>
    readonly params: object
  }): Promise<Answer>
  wrapStream<Answer extends StreamedAnswer>(options: {
    readonly doStream: () => PromiseLike<Answer>
    readonly params: object
  }): Promise<Answer>
}

/** A call that is ready for the model. Without a turn it goes without memory. */
interface ReadyCall<Call> {
  readonly params: Call
  readonly turn: ModelTurn | undefined
}

/**
 * Gives models of the AI SDK a memory: before a turn the model reads what fits its question, and after it both sides are
 * stored. Memory never fails or delays an answer beyond `deadlineMs`.
 *
 * @example
 * const varve = varveMemory({ memory: await openMemory() })
 * const model = varve.model(openai('gpt-5'), { scope: { user: 'ada', session: 'monday' } })
 */
export function varveMemory<Handle extends TurnMemory>(options: VarveMemoryOptions<Handle>): VarveMemory<Handle> {
  return new VarveMemory(options)
}

export class VarveMemory<Handle extends TurnMemory = TurnMemory> {
  /** For `wrapLanguageModel({ model, middleware })`. A call without `providerOptions.varve` goes without memory. */
  readonly middleware: MemoryMiddleware
  /** How often memory gave nothing or could not store, by what it was to do and why: `context memory-late`. */
  readonly failures: ReadonlyMap<string, number>
  readonly #memory: TurnMemories<Handle>
  readonly #onShown: VarveMemoryOptions['onShown']
  readonly #door: TurnDoor<Handle>
  readonly #turns = new KnownTurns()
  #isWarned = false

  /** @internal */
  constructor(options: VarveMemoryOptions<Handle>) {
    this.#door = new TurnDoor('varve/ai-sdk', options, { onShown: aFunction })
    this.failures = this.#door.failures.counts
    this.#memory = options.memory
    this.#onShown = options.onShown
    this.middleware = this.#middleware()
  }

  /**
   * Binds a model object to a scope. A call may add to the scope in `providerOptions.varve`, and change no name in it. Throws
   * InvalidScope, InvalidOption; InvalidConfiguration for a value that is not a model object.
   */
  model<Model extends WrappableModel>(model: Model, options: { readonly scope: CallScope }): Model
  model(model: CalledModel, options: { readonly scope: CallScope }): CalledModel {
    checkModel(model)
    checkFields({ ...options }, { scope: anObject })
    const { scope } = options
    const bound = { ...scope }
    // A call may name the session.
    checkedScope({ session: 'any', ...bound })
    return {
      specificationVersion: model.specificationVersion,
      provider: model.provider,
      modelId: model.modelId,
      get supportedUrls() {
        return model.supportedUrls
      },
      doGenerate: async (call) => {
        const { params, turn } = await this.#ready(call, bound)
        return turn === undefined ? model.doGenerate(params) : turn.whole(() => model.doGenerate(params))
      },
      doStream: async (call) => {
        const { params, turn } = await this.#ready(call, bound)
        return turn === undefined ? model.doStream(params) : turn.streamed(() => model.doStream(params))
      },
    }
  }

  /**
   * Gives the five tools by which an agent uses the memory of a scope: recall, context, remember, edit and forget. For a memory at a
   * server, `memory` must give handles with tools: `{ for: (scope) => withTools(remote.for(scope)) }`.
   */
  tools(this: VarveMemory<TurnMemory & Pick<UserMemory, 'tools'>>, given: ToolScope): ReturnType<UserMemory['tools']> {
    checkFields({ ...given }, { scope: anObject, writer: () => undefined })
    const { scope, writer } = given
    const { of, session } = checkedScope({ memory: 'read', ...scope })
    const options = { ...(session === undefined ? {} : { session }), ...(writer === undefined ? {} : { writer }) }
    return this.#memory.for(of).tools(options)
  }

  /** Resolves when all that was said is stored, or was given up. To be awaited before a memory is closed. */
  settled(): Promise<void> {
    return this.#door.settled()
  }

  #middleware(): MemoryMiddleware {
    // The options that `transformParams` gives are the ones that the other two get.
    const turns = new WeakMap<object, ModelTurn>()
    return {
      specificationVersion: 'v4',
      transformParams: async ({ params: call }) => {
        const { params, turn } = await this.#ready(call, undefined)
        if (turn !== undefined) turns.set(params, turn)
        return params
      },
      wrapGenerate: async ({ doGenerate, params }) => turns.get(params)?.whole(doGenerate) ?? doGenerate(),
      wrapStream: async ({ doStream, params }) => turns.get(params)?.streamed(doStream) ?? doStream(),
    }
  }

  /** Puts memory into a call, and begins to store what is new in it. Rejects for a scope that is none, and for nothing else. */
  async #ready<Call extends ModelCall>(call: Call, bound: object | undefined): Promise<ReadyCall<Call>> {
    const scope = this.#scopeOf(call, bound)
    const withoutMemory = { params: withPrompt(call, call.prompt), turn: undefined }
    if (scope === undefined || !(scope.reads || scope.writes)) return withoutMemory
    return (await this.#door.failures.safely('context', () => this.#begun(call, scope))) ?? withoutMemory
  }

  async #begun<Call extends ModelCall>(call: Call, scope: CheckedScope): Promise<ReadyCall<Call>> {
    const { session, of, key, writes } = scope
    const place = { memory: this.#memory.for(of), session: writes ? session : undefined, key }
    const talk = readPrompt(call.prompt)
    const turn = this.#turns.turn(scope, talk)
    const { text, context, asked } = await this.#door.begins(place, questionOf(scope, talk, turn), talk.newest(turn.seed))
    const shownTo = { ...of, ...(session === undefined ? {} : { session }) }
    if (context !== undefined) this.#door.failures.calls('onShown', () => this.#onShown?.({ ...shownTo, context }))
    const { question } = talk
    const prompt = text === undefined || question === undefined ? call.prompt : placedMemory(call.prompt, question.place, text)
    return { params: withPrompt(call, prompt), turn: new ModelTurn({ door: this.#door, place, talk, turn, asked }, call.abortSignal) }
  }

  #scopeOf(call: ModelCall, bound: object | undefined): CheckedScope | undefined {
    const given = ownOptionsOf(call)
    if (given !== undefined && !isScope(given))
      throw new InvalidScope({ field: 'providerOptions.varve', received: shown(given), reason: `must be ${aPlainScope}` })
    if (bound !== undefined || given !== undefined) return joinedScope(bound ?? {}, given ?? {})
    if (!this.#isWarned) {
      this.#isWarned = true
      process.emitWarning('varve/ai-sdk: a call without providerOptions.varve goes without memory', 'VarveWarning')
    }
    return undefined
  }
}

/** Makes what a turn asks memory. Turns that the host shows by itself are left out of the context. */
function questionOf({ reads, session, isHostsHistory }: CheckedScope, { question, hasHistory }: PromptTalk, { name }: KnownTurn) {
  if (!reads || question === undefined) return undefined
  const running = session === undefined ? {} : hasHistory || isHostsHistory ? { excludeSession: session } : { session }
  return { name, isUnderWay: true, query: question.query, ...running }
}

const aPlainScope = 'a plain { project, user, session }'

const anObject: OptionCheck = (received) => (isScope(received) ? undefined : aPlainScope)

function isScope(received: unknown): received is JsonFields {
  return isFields(received) && isPlain(received)
}

function checkModel(received: unknown): void {
  if (isFields(received) && typeof received['doGenerate'] === 'function' && typeof received['doStream'] === 'function') return
  const reason = `must be a language model object of the AI SDK, such as openai('gpt-5-mini'): received ${shown(received)}`
  throw new InvalidConfiguration({ setting: 'model', reason })
}
