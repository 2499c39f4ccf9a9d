import type { MessageInput } from '../messages/message.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { validName } from '../scope/name.ts'
import { parseScope, type ScopeInput } from '../scope/scope.ts'
import { HeldContexts, type TurnText } from './held-contexts.ts'
import { inTime } from './in-time.ts'
import { type SaidInTurn, type StoredTurn, TurnCaptures, type TurnPlace } from './turn-captures.ts'
import { codeOf, TurnFailures } from './turn-failures.ts'
import type { TurnMemories, TurnMemory } from './turn-memory.ts'
import { checkOptions, type OptionCheck, type TurnOptions } from './turn-options.ts'
import { turnQuery } from './turn-query.ts'

type Asking = Parameters<UserMemory['context']>[0]

/** The share of a turn's wait that is the recall's; the rest is for the person's words. */
export const recallShare = 0.9

/** What a turn asks memory. */
export interface TurnQuestion extends Pick<Asking, 'session' | 'excludeSession' | 'tiers'> {
  /** Names the turn among those that are under way. */
  readonly name: string
  /** The person's words. */
  readonly query: string
  /** The turn may have had a model call before: it is shown the same again. */
  readonly isUnderWay: boolean
}

/** A turn that is over. */
export interface EndedTurn {
  /** Names it among those that are under way. */
  readonly name: string
  /** The person's words. */
  readonly asked: readonly MessageInput[]
  /** What was said until the last tool was called, and its result. Undefined when none was called. */
  readonly beforeTools: readonly MessageInput[] | undefined
  readonly last: readonly MessageInput[]
}

/** What a model call is told, and what it begins with. */
export interface BegunCall extends TurnText {
  /** The messages that stand in the store: what came of them is not stored when they are forgotten meanwhile. */
  readonly asked: readonly MessageInput[]
}

const nothing: TurnText = { degraded: [], isAgain: true }

/** Memory in a host's turns: asked and told in time, and failing open. Each framework's door holds one. */
export class TurnDoor<Handle extends TurnMemory = TurnMemory> {
  /** The longest wait of a turn before its model is called. */
  readonly deadlineMs: number
  readonly failures: TurnFailures
  readonly #memory: TurnMemories<Handle>
  readonly #asking: Pick<Asking, 'maxTokens' | 'tiers' | 'minConfidence'>
  readonly #waitUntil: TurnOptions['waitUntil']
  readonly #contexts = new HeldContexts()
  readonly #captures: TurnCaptures
  /** The sessions whose messages were not stored in time, and are still not: they are not waited for. */
  readonly #late = new Set<string>()

  /** Throws InvalidOption or InvalidScope for options that no turn could use. `own` checks those that only this door has. */
  constructor(name: string, options: TurnOptions<Handle>, own: Readonly<Record<string, OptionCheck>> = {}) {
    checkOptions(options, own)
    const { memory, maxTokens = 2_000, deadlineMs = 1_000, tiers, minConfidence, waitUntil, onFailed } = options
    this.deadlineMs = deadlineMs
    this.failures = new TurnFailures(name, onFailed)
    this.#memory = memory
    this.#asking = { maxTokens, tiers, minConfidence }
    this.#waitUntil = waitUntil
    this.#captures = new TurnCaptures(this.failures)
  }

  /** Finds whose turn it is. A scope that is none costs the turn its memory, and not its answer. */
  place(whose: () => { readonly scope: ScopeInput; readonly session?: string | undefined } | undefined): TurnPlace<Handle> | undefined {
    try {
      const found = whose()
      if (found === undefined) return undefined
      const { scope, session } = found
      if (session !== undefined) validName('session', session)
      const { partition } = parseScope(scope)
      return { memory: this.#memory.for(scope), session, key: JSON.stringify([partition, session ?? null]) }
    } catch (error) {
      this.failures.failed('context', codeOf(error))
      return undefined
    }
  }

  /**
   * Begins a model call: memory is asked, then what the person said is stored. Memory is asked first: else the question is among its
   * own newest turns. The model waits for both, and for no longer than `deadlineMs`; what is not stored by then is stored later.
   */
  async begins(place: TurnPlace, question: TurnQuestion | undefined, said: readonly MessageInput[]): Promise<BegunCall> {
    const until = performance.now() + this.deadlineMs
    const told = question === undefined ? nothing : await this.told(place, question, this.deadlineMs * recallShare)
    const { forgotten } = await this.stored(place, { messages: said }, until - performance.now())
    return { ...told, asked: said.filter(({ id }) => id === undefined || !forgotten.includes(id)) }
  }

  /** Gives what a turn is told: the same in each of its model calls, and nothing that was forgotten since. Never rejects. */
  async told({ memory, key }: TurnPlace, question: TurnQuestion, deadlineMs = this.deadlineMs): Promise<TurnText> {
    const { name, isUnderWay, tiers = this.#asking.tiers, ...asked } = question
    const query = turnQuery(asked.query)
    if (query.trim() === '' || (isUnderWay && this.#late.has(key))) return nothing
    const wait = Math.max(1, Math.ceil(deadlineMs))
    const told = await this.#contexts.shown(memory, name, isUnderWay, { ...this.#asking, ...asked, query, tiers, deadlineMs: wait })
    for (const reason of told.isAgain ? [] : told.degraded) if (reason !== 'memory-partial') this.failures.failed('context', reason)
    return told
  }

  /**
   * Stores what was said, and waits for it at most `deadlineMs`. A store that is late is not waited for again until it is done: a
   * turn of many model calls waits once. Never rejects.
   */
  async stored(place: TurnPlace, said: SaidInTurn, deadlineMs = this.deadlineMs): Promise<StoredTurn> {
    const stored = this.take(place, said)
    if (this.#late.has(place.key)) return { failure: 'DEADLINE_EXCEEDED', forgotten: [] }
    try {
      return await inTime('append', Math.max(1, deadlineMs), () => stored)
    } catch (error) {
      this.#late.add(place.key)
      void stored.then(() => this.#late.delete(place.key))
      return { failure: codeOf(error), forgotten: [] }
    }
  }

  /**
   * Ends a turn whose answer comes whole. When the question was forgotten meanwhile, the answer is not stored: it may repeat the question.
   * Tools may have forgotten, so what was said after the last one's result is stored. What was said before it is also left out when
   * something is gone that the turn was told.
   */
  async ends(place: TurnPlace, ended: EndedTurn, deadlineMs = this.deadlineMs): Promise<void> {
    const { name, asked, beforeTools, last } = ended
    if (beforeTools !== undefined) void this.take(place, { asked, messages: beforeTools, stands: () => this.stands(place, name) })
    await this.stored(place, { asked: beforeTools === undefined ? asked : [], messages: last }, deadlineMs)
  }

  /** Tells whether everything is there that a turn was told. Never rejects. */
  stands({ memory }: TurnPlace, name: string): Promise<boolean> {
    return this.#contexts.stands(memory, name, this.deadlineMs)
  }

  /** Stores what was said, behind the host's back. Resolves when it is stored or given up, and never rejects. */
  take(place: TurnPlace, said: SaidInTurn): Promise<StoredTurn> {
    const stored = this.#captures.take(place, said)
    this.keepsAlive(stored)
    return stored
  }

  /** Keeps a serverless function alive until some work is done. */
  keepsAlive(work: Promise<unknown>): void {
    const waitUntil = this.#waitUntil
    if (waitUntil !== undefined) this.failures.calls('waitUntil', () => waitUntil(work))
  }

  /** Resolves when nothing waits to be stored. */
  settled(): Promise<void> {
    return this.#captures.settled()
  }
}
