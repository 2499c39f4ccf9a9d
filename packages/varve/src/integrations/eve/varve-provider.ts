import { LRUCache } from 'lru-cache'
import type { UserMemory } from '../../memory/user-memory.ts'
import type { ScopeInput } from '../../scope/scope.ts'
import { nameOfHostId } from '../../turns/host-names.ts'
import type { TurnPlace } from '../../turns/turn-captures.ts'
import { TurnDoor } from '../../turns/turn-door.ts'
import type { TurnMemory } from '../../turns/turn-memory.ts'
import { aFunction, aWait, type TurnOptions } from '../../turns/turn-options.ts'
import type { EveOperation, EveRecall, EveScope } from './eve-shapes.ts'
import { messagesOfTurn, wordsOfTurn } from './turn-messages.ts'

/** The part of a user's memory that the provider uses. A handle of the library has it, and one of `varve/client`. */
export type ProviderMemory = TurnMemory & Partial<Pick<UserMemory, 'tools'>>

/** A tool as eve's `defineTool` takes it. */
export interface EveToolDraft {
  readonly description: string
  readonly inputSchema: ReturnType<UserMemory['tools']>['memory_recall']['inputSchema']
  execute(input: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** Options of `varveProvider`. */
export interface EveOptions<Tool = never> extends TurnOptions<ProviderMemory> {
  /** The longest wait until a turn is stored, in milliseconds. eve waits for it after the reply. Default 10,000. */
  readonly captureDeadlineMs?: number | undefined
  /** Names whose memory a scope is. Default: the namespace is the project, the scope's key the user. */
  readonly scope?: ((scope: EveScope) => ScopeInput) | undefined
  /** Offers the five tools of memory. Give eve's own `defineTool`, of `eve/tools`. A handle of `varve/client` needs `withTools`. */
  readonly defineTool?: ((draft: EveToolDraft) => Tool) | undefined
}

/** A provider for `defineMemory`. */
export interface VarveProvider<Tool = never> {
  readonly recall: {
    readonly 'turn.started': (operation: EveOperation) => Promise<EveRecall | null>
    readonly 'compaction.completed': (operation: EveOperation) => Promise<EveRecall | null>
  }
  readonly capture: {
    readonly 'turn.completed': (operation: EveOperation) => Promise<void>
    readonly 'compaction.requested': (operation: EveOperation) => Promise<void>
  }
  readonly tools: (operation: Pick<EveOperation, 'memory' | 'session'>) => Promise<Readonly<Record<string, Tool>> | null>
}

/** The id of every context: a turn's context replaces that of the turn before. */
const recallId = 'varve'

/** Replaces an earlier context whose content was forgotten. */
const nothingTold = 'Memory knows nothing that helps with the message that follows.'

const usualCaptureMs = 10_000

/** The sessions that are known to be compacted. */
const mostCompacted = 10_000

/**
 * Gives a memory to a slot of eve's. No handler ever throws: a turn goes on without memory.
 *
 * @example export default defineMemory({ provider: varveProvider({ memory, defineTool }), scope: byPrincipal })
 */
export function varveProvider<Tool = never>(options: EveOptions<Tool>): VarveProvider<Tool> {
  const provider = new Provider(options)
  const { defineTool } = options
  return {
    recall: {
      'turn.started': (operation) => provider.told(operation, false),
      'compaction.completed': (operation) => provider.told(operation, true),
    },
    capture: {
      'turn.completed': (operation) => provider.captured(operation),
      'compaction.requested': (operation) => provider.captured(operation),
    },
    tools: async ({ memory: { scope: whose }, session }) => {
      const tools = defineTool && provider.place(whose, session)?.memory.tools?.({ session: nameOfHostId('session', session.id) })
      if (defineTool === undefined || tools === undefined) return null
      const drafts = Object.entries(tools).map(([name, { description, inputSchema, execute }]) => {
        const draft: EveToolDraft = { description, inputSchema, execute: (input) => execute(input) }
        return [name, defineTool(draft)] as const
      })
      return Object.fromEntries(drafts)
    },
  }
}

function usualScope({ key, namespace }: EveScope): ScopeInput {
  return { project: nameOfHostId('project', namespace), user: nameOfHostId('user', key) }
}

class Provider {
  readonly #door: TurnDoor<ProviderMemory>
  readonly #scope: (scope: EveScope) => ScopeInput
  readonly #captureMs: number
  readonly #compacted = new LRUCache<string, true>({ max: mostCompacted })

  constructor(options: EveOptions<unknown>) {
    this.#door = new TurnDoor('varve/eve', options, { captureDeadlineMs: aWait, scope: aFunction, defineTool: aFunction })
    this.#scope = options.scope ?? usualScope
    this.#captureMs = options.captureDeadlineMs ?? usualCaptureMs
  }

  async told(operation: EveOperation, isCompacted: boolean): Promise<EveRecall | null> {
    return (await this.#door.failures.safely('context', () => this.#told(operation, isCompacted))) ?? null
  }

  /** Of a compaction between turns there is nothing to capture: each turn was, when it ended. */
  async captured(operation: EveOperation): Promise<void> {
    await this.#door.failures.safely('append', () => this.#captured(operation))
  }

  async #told({ memory: { scope }, messages, operationId, session, turn }: EveOperation, isCompacted: boolean): Promise<EveRecall | null> {
    const place = this.place(scope, session)
    if (place === undefined) return null
    const name = nameOfHostId('session', session.id)
    if (isCompacted) this.#compacted.set(place.key, true)
    // eve shows the session's own history, until a compaction took of it.
    const running = this.#compacted.has(place.key) ? { session: name, tiers: { recent: { limit: 0 } } } : { excludeSession: name }
    const query = wordsOfTurn(turn?.input ?? messages.slice(-1))
    const isStart = turn !== null && !isCompacted
    // eve refuses a replay that answers otherwise.
    const question = { name: nameOfTurn(place, isStart ? turn.id : operationId), isUnderWay: true, query, ...running }
    const asked = isStart ? messagesOfTurn({ session, messages: [] }, turn).asked : []
    const { text, degraded } = await this.#door.begins(place, question, asked)
    if (text !== undefined) return { messages: [{ id: recallId, content: text }] }
    // A recall cannot take back, only supersede: what was told before may be forgotten by now.
    const isLate = degraded.some((reason) => reason !== 'memory-partial')
    return isLate || !messages.some(wasTold) ? null : { messages: [{ id: recallId, content: nothingTold }] }
  }

  async #captured(operation: EveOperation): Promise<void> {
    const { memory, session, turn } = operation
    const place = turn === null ? undefined : this.place(memory.scope, session)
    if (turn === null || place === undefined) return
    const name = nameOfTurn(place, turn.id)
    await this.#door.ends(place, { name, ...messagesOfTurn(operation, turn) }, this.#captureMs)
  }

  place(scope: EveScope, { id }: EveOperation['session']): TurnPlace<ProviderMemory> | undefined {
    return this.#door.place(() => ({ scope: this.#scope(scope), session: nameOfHostId('session', id) }))
  }
}

function nameOfTurn({ key }: TurnPlace, id: string): string {
  return JSON.stringify([key, id])
}

function wasTold({ role, content }: { readonly role: string; readonly content: unknown }): boolean {
  return role === 'user' && typeof content === 'string' && content.startsWith('<memory mark="')
}
