import { LRUCache } from 'lru-cache'
import type { TurnFailed } from '../../turns/keep-turn.ts'
import { HeldContexts, type HoldingMemory } from '../../turns/held-contexts.ts'
import type { TurnAsking } from '../../turns/turn-context.ts'
import { turnQuery } from '../../turns/turn-query.ts'

/** The operations that are known to have told nothing. */
const mostEmpty = 10_000

/**
 * Recalls by the ids of their operations: eve refuses a replay that answers otherwise. What was forgotten meanwhile is not
 * told again: then the replay is asked anew.
 */
export class HeldRecalls {
  readonly #told = new HeldContexts()
  /** Whether memory was late or failed, by operation. */
  readonly #empty = new LRUCache<string, boolean>({ max: mostEmpty })

  /** Gives the fenced text, or an empty one. Never rejects. */
  async text(memory: HoldingMemory, operation: string, asking: TurnAsking, failed: TurnFailed): Promise<{ text: string; isLate: boolean }> {
    const query = turnQuery(asking.query)
    const wasLate = this.#empty.get(operation)
    if (query.trim() === '' || wasLate !== undefined) return { text: '', isLate: wasLate ?? false }
    const { text = '', degraded } = await this.#told.shown(memory, operation, true, { ...asking, query })
    const reasons = degraded.filter((reason) => reason !== 'memory-partial')
    for (const reason of reasons) failed('context', reason)
    const isLate = reasons.length > 0
    if (text === '') this.#empty.set(operation, isLate)
    return { text, isLate }
  }
}
