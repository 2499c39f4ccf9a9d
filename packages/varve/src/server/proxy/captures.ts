import { VarveError } from '../../errors/varve-error.ts'
import type { MessageInput } from '../../messages/message.ts'
import { inTime } from '../../turns/in-time.ts'
import type { ProxyTurn } from './held-turns.ts'
import type { ProxyCounters } from './proxy-counters.ts'
import type { ProxyScope } from './proxy-means.ts'

/** The most turns that wait to be stored. */
const maxWaiting = 256

/** Stores turns after their replies. Nobody waits for it, and its failures are counted. */
export class Captures {
  readonly #counters: ProxyCounters
  readonly #deadlineMs: number
  readonly #underWay = new Set<Promise<void>>()
  readonly #replies = new Set<Promise<void>>()

  constructor(counters: ProxyCounters, deadlineMs: number) {
    this.#counters = counters
    this.#deadlineMs = deadlineMs
  }

  /** Marks a reply that goes on. The answer is to be called at its end, when it was taken. */
  reply(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#replies.add(promise)
    return () => {
      this.#replies.delete(promise)
      resolve()
    }
  }

  take(memory: ProxyScope['memory'], turn: ProxyTurn, session: string, messages: () => readonly MessageInput[]): void {
    if (this.#underWay.size >= maxWaiting) {
      this.#failed(turn, 'ENGINE_OVERLOADED')
      return
    }
    turn.remembered.status = 'pending'
    turn.remembered.session = session
    const stored = this.#store(memory, turn, session, messages).finally(() => this.#underWay.delete(stored))
    this.#underWay.add(stored)
  }

  /** Resolves when no reply goes on, and no turn waits to be stored. */
  async settled(): Promise<void> {
    while (this.#replies.size + this.#underWay.size > 0) await Promise.all([...this.#replies, ...this.#underWay])
  }

  async #store(memory: ProxyScope['memory'], turn: ProxyTurn, session: string, messages: () => readonly MessageInput[]): Promise<void> {
    const start = performance.now()
    try {
      const batch = messages()
      const { messages: stored } = await inTime('append', this.#deadlineMs, (deadlineMs) => memory.append(session, batch, { deadlineMs }))
      turn.remembered.status = batch.length === 0 ? 'none' : 'stored'
      turn.remembered.messages = stored.map(({ id, seq, duplicate }) => ({ id, seq, duplicate }))
      this.#counters.captured += 1
    } catch (error) {
      this.#failed(turn, VarveError.is(error) ? error.code : 'STORE_FAILED')
    }
    turn.timings.captureMs = performance.now() - start
  }

  #failed(turn: ProxyTurn, code: string): void {
    this.#counters.captureFailed += 1
    turn.remembered.status = 'failed'
    turn.remembered.code = code
  }
}
