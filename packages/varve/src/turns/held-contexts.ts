import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { UserMemory } from '../memory/user-memory.ts'
import { inTime } from './in-time.ts'
import { type TurnAsking, turnContext, type TurnShortage } from './turn-context.ts'
import type { TurnMemory } from './turn-memory.ts'

/** A memory whose past contexts can be looked at again. */
export type HoldingMemory = Pick<TurnMemory, 'context'> & { readonly contexts: Pick<UserMemory['contexts'], 'get'> }

/** The turns whose contexts a process holds. */
const mostHeld = 1_000

interface Held {
  readonly id: string
  readonly text: string
}

/** What a model call is shown. */
export interface TurnText {
  /** Absent when memory has nothing to show, was late, or failed. */
  readonly text?: string
  readonly degraded: readonly TurnShortage[]
}

/**
 * The contexts of turns that are under way. All model calls of a turn see the same bytes, so that a provider's cache of the
 * prompt holds, also where memory told nothing. What was forgotten meanwhile is not shown again: a held context is looked at in
 * the store first.
 */
export class HeldContexts {
  readonly #held = new LRUCache<string, Held | 'nothing'>({ max: mostHeld })

  /** Never rejects. `isUnderWay`: the turn has had a model call before. */
  async shown(memory: HoldingMemory, turn: string, isUnderWay: boolean, asking: TurnAsking): Promise<TurnText> {
    const key = hash('sha256', turn)
    const until = performance.now() + asking.deadlineMs
    const held = isUnderWay ? this.#held.get(key) : undefined
    if (held === 'nothing') return { degraded: [] }
    if (held !== undefined && (await isAsItWas(memory, held.id, asking.deadlineMs))) return { text: held.text, degraded: [] }
    const deadlineMs = Math.max(1, Math.ceil(until - performance.now()))
    const { context, degraded } = await turnContext(memory, { ...asking, deadlineMs })
    if (context === undefined) {
      this.#held.set(key, 'nothing')
      return { degraded }
    }
    this.#held.set(key, { id: context.id, text: context.text })
    return { text: context.text, degraded }
  }
}

/** Tells whether every line of a context is as it was shown. */
async function isAsItWas({ contexts }: HoldingMemory, id: string, deadlineMs: number): Promise<boolean> {
  try {
    return (await inTime('contexts.get', deadlineMs, () => contexts.get(id, { deadlineMs }))).isSame
  } catch {
    // It left no record, was forgotten, or the store is closed or slow: memory is asked anew.
    return false
  }
}
