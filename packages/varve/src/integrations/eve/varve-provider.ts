import { LRUCache } from 'lru-cache'
import { VarveError } from '../../errors/varve-error.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import type { ScopeInput } from '../../scope/scope.ts'
import { type DoorLimits, doorLimits } from '../../turns/door-limits.ts'
import type { HoldingMemory } from '../../turns/held-contexts.ts'
import { nameOfHostId } from '../../turns/host-names.ts'
import { keepTurn, type TurnFailed, warnsOnce } from '../../turns/keep-turn.ts'
import type { TurnMemories, TurnMemory } from '../../turns/turn-memory.ts'
import type { EveOperation, EveRecall, EveScope } from './eve-shapes.ts'
import { HeldRecalls } from './held-recalls.ts'
import { messagesOfTurn, wordsOfTurn } from './turn-messages.ts'

/** The part of a user's memory that the provider uses. A handle of the library has it, and one of `varve/client`. */
export type ProviderMemory = TurnMemory & HoldingMemory & Partial<Pick<UserMemory, 'tools'>>

/** A tool as eve's `defineTool` takes it. */
export interface EveToolDraft {
  readonly description: string
  readonly inputSchema: ReturnType<UserMemory['tools']>['memory_recall']['inputSchema']
  execute(input: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** Options of `varveProvider`. */
export interface EveOptions<Tool = never> extends DoorLimits {
  /** A memory of the library, or one of `varve/client`. */
  readonly memory: TurnMemories<ProviderMemory>
  /** The longest wait until a turn is stored, in milliseconds. eve waits for it after the reply. Default 10,000. */
  readonly captureDeadlineMs?: number
  /** Names whose memory a scope is. Default: the namespace is the project, the scope's key the user. */
  readonly scope?: (scope: EveScope) => ScopeInput
  /** Offers the five tools of memory. Give eve's own `defineTool`, of `eve/tools`. A handle of `varve/client` needs `withTools`. */
  readonly defineTool?: (draft: EveToolDraft) => Tool
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

type ProviderLimits = Required<DoorLimits> & { readonly captureDeadlineMs: number }

const usualCaptureMs = 10_000

/** The sessions that are known to be compacted. */
const mostCompacted = 10_000

/**
 * Gives a memory to a slot of eve's. No handler ever throws: a turn goes on without memory.
 *
 * @example export default defineMemory({ provider: varveProvider({ memory, defineTool }), scope: byPrincipal })
 */
export function varveProvider<Tool = never>({
  memory,
  scope,
  defineTool,
  captureDeadlineMs = usualCaptureMs,
  ...given
}: EveOptions<Tool>): VarveProvider<Tool> {
  const provider = new Provider(memory, scope ?? usualScope, { ...doorLimits(given), captureDeadlineMs })
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
      const tools = defineTool && provider.whose(whose)?.tools?.({ session: nameOfHostId(session.id) })
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
  return { project: nameOfHostId(namespace), user: nameOfHostId(key) }
}

class Provider {
  readonly #memory: TurnMemories<ProviderMemory>
  readonly #scope: (scope: EveScope) => ScopeInput
  readonly #limits: ProviderLimits
  readonly #failed: TurnFailed = warnsOnce('varve/eve')
  readonly #held = new HeldRecalls()
  readonly #compacted = new LRUCache<string, true>({ max: mostCompacted })

  constructor(memory: TurnMemories<ProviderMemory>, scope: (scope: EveScope) => ScopeInput, limits: ProviderLimits) {
    this.#memory = memory
    this.#scope = scope
    this.#limits = limits
  }

  async told({ memory: { scope }, messages, operationId, session, turn }: EveOperation, isCompacted: boolean): Promise<EveRecall | null> {
    const memory = this.whose(scope)
    if (memory === undefined) return null
    const name = nameOfHostId(session.id)
    const place = JSON.stringify([scope.key, session.id])
    if (isCompacted) this.#compacted.set(place, true)
    // eve shows the session's own history, until a compaction took of it.
    const running = this.#compacted.has(place) ? { session: name, tiers: { recent: { limit: 0 } } } : { excludeSession: name }
    const query = wordsOfTurn(turn?.input ?? messages.slice(-1))
    const operation = JSON.stringify([scope.key, operationId])
    const { maxTokens, deadlineMs } = this.#limits
    const { text, isLate } = await this.#held.text(memory, operation, { query, ...running, maxTokens, deadlineMs }, this.#failed)
    if (text !== '') return { messages: [{ id: recallId, content: text }] }
    // A recall cannot take back, only supersede: what was told before may be forgotten by now.
    return isLate || !messages.some(wasTold) ? null : { messages: [{ id: recallId, content: nothingTold }] }
  }

  /** Of a compaction between turns there is nothing to capture: each turn was, when it ended. */
  async captured(operation: EveOperation): Promise<void> {
    const memory = this.whose(operation.memory.scope)
    if (memory === undefined || operation.turn === null) return
    const session = nameOfHostId(operation.session.id)
    const kept = { session, messages: messagesOfTurn(operation, operation.turn), deadlineMs: this.#limits.captureDeadlineMs }
    await keepTurn(memory, kept, this.#failed)
  }

  whose(scope: EveScope): ProviderMemory | undefined {
    try {
      return this.#memory.for(this.#scope(scope))
    } catch (error) {
      this.#failed('context', VarveError.is(error) ? error.code : 'STORE_FAILED')
      return undefined
    }
  }
}

function wasTold({ role, content }: { readonly role: string; readonly content: unknown }): boolean {
  return role === 'user' && typeof content === 'string' && content.startsWith('<memory mark="')
}
