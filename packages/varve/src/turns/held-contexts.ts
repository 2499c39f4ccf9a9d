import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { VarveError } from '../errors/varve-error.ts'
import { inTime } from './in-time.ts'
import { type TurnAsking, type TurnContext, turnContext, type TurnShortage } from './turn-context.ts'
import type { TurnMemory } from './turn-memory.ts'

/** The turns whose contexts a process knows. */
const mostHeld = 10_000

/** What a model call is shown. */
export interface TurnText extends TurnContext {
  /** Absent when memory has nothing to show, was late, or failed. */
  readonly text?: string
  /** True when the turn was told this before. */
  readonly isAgain: boolean
}

interface Held {
  /** The context that the turn is shown. */
  readonly id?: string
  /** All that it was shown: another one after a forget. */
  readonly shown: readonly string[]
  readonly degraded: readonly TurnShortage[]
}

/**
 * The contexts of turns that are under way: their ids, and no words. All model calls of a turn see the same bytes, so that a
 * provider's cache of the prompt holds, also where memory told nothing. A context is made again from its id: when something in
 * it was forgotten or changed meanwhile, memory is asked anew.
 */
export class HeldContexts {
  readonly #held = new LRUCache<string, Held>({ max: mostHeld })

  /** Never rejects. `isUnderWay`: the turn may have had a model call before. */
  async shown(memory: Pick<TurnMemory, 'context' | 'contexts'>, turn: string, isUnderWay: boolean, asking: TurnAsking): Promise<TurnText> {
    const key = hash('sha256', turn)
    const until = performance.now() + asking.deadlineMs
    const held = isUnderWay ? this.#held.get(key) : undefined
    if (held !== undefined && held.id === undefined) return { degraded: held.degraded, isAgain: true }
    const again = held?.id === undefined ? undefined : await textAgain(memory, held.id, asking.deadlineMs)
    if (again !== undefined) return { text: again, degraded: [], isAgain: true }
    const deadlineMs = Math.max(1, Math.ceil(until - performance.now()))
    const { context, degraded } = await turnContext(memory, { ...asking, deadlineMs })
    const before = held?.shown ?? []
    this.#held.set(key, context === undefined ? { shown: before, degraded } : { id: context.id, shown: [...before, context.id], degraded })
    return { ...(context === undefined ? {} : { context, text: context.text }), degraded, isAgain: false }
  }

  /** Tells whether everything is there that a turn was told. What cannot be looked at in time counts as there. Never rejects. */
  async stands({ contexts }: Pick<TurnMemory, 'contexts'>, turn: string, deadlineMs: number): Promise<boolean> {
    const { shown = [] } = this.#held.get(hash('sha256', turn)) ?? {}
    try {
      const looks = shown.map((id) => inTime('contexts.get', deadlineMs, () => contexts.get(id, { deadlineMs })))
      const items = (await Promise.all(looks)).flatMap(({ sections }) => sections.flatMap((section) => section.items))
      return items.every(({ state }) => state !== 'gone')
    } catch (error) {
      // The record of a session that was forgotten goes with it.
      return !(VarveError.is(error) && error.code === 'NOT_FOUND')
    }
  }
}

/** Gives the text of a context when every line is as it was shown. */
async function textAgain({ contexts }: Pick<TurnMemory, 'contexts'>, id: string, deadlineMs: number): Promise<string | undefined> {
  try {
    const { text, isSame } = await inTime('contexts.get', deadlineMs, () => contexts.get(id, { deadlineMs }))
    return isSame ? text : undefined
  } catch {
    // It left no record, was forgotten, or the store is closed or slow: memory is asked anew.
    return undefined
  }
}
