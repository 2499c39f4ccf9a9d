import { type DoorLimits, doorLimits } from '../../turns/door-limits.ts'
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { UserMemory } from '../../memory/user-memory.ts'
import { HeldContexts, type HoldingMemory } from '../../turns/held-contexts.ts'
import { warnsOnce } from '../../turns/keep-turn.ts'
import { turnQuery } from '../../turns/turn-query.ts'
import { isPersons, itemWords } from './item.ts'

type Asking = Parameters<UserMemory['context']>[0]

/** What a run reads of the user's memory. */
export interface AgentContextOptions extends DoorLimits, Pick<Asking, 'tiers' | 'minConfidence'> {}

/** What a model is given, as the SDK shows it to a filter. */
export interface ModelInput<Item> {
  input: Item[]
  instructions?: string
}

/** The contexts that a session knows again, by their hashes. */
const mostKnown = 1_000

/** Puts contexts into the input of a session's runs, and knows them again. */
export class AgentContexts {
  readonly #session: string
  readonly #options: AgentContextOptions
  readonly #held = new HeldContexts()
  readonly #known = new LRUCache<string, true>({ max: mostKnown })
  readonly #failed = warnsOnce('varve/openai-agents')

  constructor(session: string, options: AgentContextOptions = {}) {
    this.#session = session
    this.#options = options
  }

  /** Puts the context in front of the newest message of a person. Never rejects: a run goes on without memory. */
  async put<Item extends object>(memoryOf: () => HoldingMemory, asked: ModelInput<Item>): Promise<ModelInput<Item>> {
    const { input } = asked
    const at = input.findLastIndex(isPersons)
    const said = input[at]
    if (said === undefined) return asked
    const text = await this.#text(memoryOf, turnQuery(itemWords(said)), JSON.stringify([at, said]), at < input.length - 1)
    if (text === undefined) return asked
    this.#known.set(hash('sha256', text), true)
    const item: unknown = { type: 'message', role: 'user', content: text }
    return isLike<Item>(item) ? { ...asked, input: input.toSpliced(at, 0, item) } : asked
  }

  /** Tells whether an item is a context that was put in. */
  isPutIn(item: object): boolean {
    const { content } = Object(item)
    return isPersons(item) && typeof content === 'string' && this.#known.has(hash('sha256', content))
  }

  async #text(memoryOf: () => HoldingMemory, query: string, turn: string, isUnderWay: boolean): Promise<string | undefined> {
    if (query.trim() === '') return undefined
    const { tiers, minConfidence } = this.#options
    const asking = { query, excludeSession: this.#session, tiers, minConfidence, ...doorLimits(this.#options) }
    try {
      const memory = memoryOf()
      const { text, degraded } = await this.#held.shown(memory, turn, isUnderWay, asking)
      for (const reason of degraded) if (reason !== 'memory-partial') this.#failed('context', reason)
      return text
    } catch {
      // No user, or a closed memory: the session itself tells what is wrong.
      this.#failed('context', 'memory-failed')
      return undefined
    }
  }
}

/** The SDK takes a message of a person as it is here. */
function isLike<Item>(item: unknown): item is Item {
  return typeof item === 'object'
}
