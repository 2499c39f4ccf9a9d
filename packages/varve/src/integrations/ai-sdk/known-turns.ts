import { randomUUID } from 'node:crypto'
import { growingCache } from '../../caches/growing-cache.ts'
import type { CheckedScope } from './call-scope.ts'
import type { PromptTalk } from './read-prompt.ts'

/** The longest time until an equal question counts as another one: milliseconds. A session settles after it too. */
const againMs = 600_000
const maxKnown = 10_000

/** A turn of a conversation: one question with the calls that answer it. It holds ids and hashes, and no words. */
export interface KnownTurn {
  /** Makes the ids of its messages. Empty where all that was said before tells a message that is sent again. */
  readonly seed: string
  /** Names it among the turns of the process. */
  readonly name: string
  /** True when an answer came to its end. */
  isAnswered: boolean
}

/** Knows the turns of this process. The SDK calls a model once a step, and again when a call fails: all are one turn. */
export class KnownTurns {
  readonly #turns = growingCache<string, KnownTurn>(maxKnown, { ttl: againMs })

  /** Gives the turn of a call: one that is under way or failed before, else a new one. */
  turn({ key, isHostsHistory, turn: given }: CheckedScope, { question, hasHistory, upTo }: PromptTalk): KnownTurn {
    const name = `${key} ${given ?? ''} ${question?.upTo ?? upTo}`
    const before = this.#turns.get(name)
    if (before !== undefined && (question?.isUnderWay === true || !before.isAnswered)) return before
    // Without history, the same words may be said twice.
    const isTold = hasHistory || isHostsHistory || question === undefined
    const turn = { seed: given ?? (isTold ? '' : randomUUID()), name: randomUUID(), isAnswered: false }
    this.#turns.set(name, turn)
    return turn
  }
}
