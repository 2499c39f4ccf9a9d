import { setTimeout as pause } from 'node:timers/promises'
import pRetry from 'p-retry'
import { ModelFailed } from '../../errors/model-failed.ts'
import type { CallEnd, CallOutcome, ModelAnswer, ModelRequest } from '../language-model.ts'
import { classifyFailure } from './classify-failure.ts'
import { readResult, type UsedTokens } from './language-answer.ts'
import { generateOptions, type Manner, milderAfter } from './language-manner.ts'
import type { AiSdkLanguageModel } from './language-model-shape.ts'
import type { CheckedLanguageOptions } from './language-options.ts'
import { concernOf, outcomeOf, passing } from './language-outcome.ts'
import { withDeadline } from './with-deadline.ts'

/** The most repeats of a request that failed for a passing reason. */
const repeats = 2

export interface AskedLanguageModel {
  readonly name: string
  readonly model: () => Promise<AiSdkLanguageModel>
  readonly options: CheckedLanguageOptions
}

/** The result of one request. */
interface Reply {
  readonly outcome: CallOutcome
  readonly used: UsedTokens
  readonly answer?: ModelAnswer
  /** The manner of the next request, when a milder one may work. */
  readonly milder?: Manner | undefined
  readonly failure?: Error
}

const unanswered: UsedTokens = { inputTokens: 0, outputTokens: 0 }

/** One `ask`: its requests one after the other, with milder and repeated ones, within one deadline. */
export class LanguageCall {
  readonly #asked: AskedLanguageModel
  readonly #request: ModelRequest
  readonly #end: number
  #last: Reply | undefined
  #stopped: { readonly by: unknown } | undefined
  manner: Manner

  constructor(asked: AskedLanguageModel, request: ModelRequest, manner: Manner) {
    this.#asked = asked
    this.#request = request
    this.#end = performance.now() + request.deadlineMs
    this.manner = manner
  }

  /** Rejects with ModelFailed, with the signal's reason, or with the meter's error. */
  async answer(): Promise<ModelAnswer> {
    const { firstPauseMs: minTimeout } = this.#asked.options
    const { signal } = this.#request
    try {
      return await pRetry(() => this.#attempt(), {
        retries: repeats,
        minTimeout,
        randomize: true,
        signal,
        shouldRetry: ({ retryDelay }) => this.#waited(retryDelay),
      })
    } catch (error) {
      throw this.#stopped === undefined ? error : this.#stopped.by
    }
  }

  /** A milder request follows at once: each leaves one part out, so there are few. */
  async #attempt(): Promise<ModelAnswer> {
    for (;;) {
      const { milder, answer, failure } = (this.#last = await this.#metered())
      if (milder !== undefined) this.manner = milder
      else if (answer !== undefined) return answer
      else throw failure ?? this.#failed('its call failed')
    }
  }

  async #metered(): Promise<Reply> {
    const end = await this.#unlessStopped(() => this.#request.meter.begin())
    const start = performance.now()
    const reply = await this.#reply()
    const ended: CallEnd = { outcome: reply.outcome, ...reply.used, ms: Math.round(performance.now() - start) }
    await this.#unlessStopped(() => end(ended))
    return reply
  }

  async #reply(): Promise<Reply> {
    const { isStructured } = this.manner
    try {
      const { answer, fault, isUnstructured, used } = readResult(await this.#generated(), isStructured)
      const milder = isUnstructured ? { ...this.manner, isStructured: false } : undefined
      if (answer === undefined) return { outcome: 'unreadable', used, milder, failure: this.#failed(fault, 'request') }
      return { outcome: 'answered', used, milder, answer }
    } catch (error) {
      const { name, options } = this.#asked
      const outcome = outcomeOf(error)
      return {
        outcome,
        used: unanswered,
        milder: milderAfter(this.manner, error),
        failure: classifyFailure(error, name, options.clock, concernOf(outcome, error)),
      }
    }
  }

  #generated(): Promise<unknown> {
    const { name, model, options } = this.#asked
    const { signal } = this.#request
    const deadlineMs = Math.ceil(Math.min(options.requestDeadlineMs ?? Infinity, Math.max(this.#leftMs(), 0)))
    const bounds = { model: name, operation: 'ask', deadlineMs, signal }
    // Nothing more is sent when the meter took all the time.
    if (deadlineMs === 0) return Promise.reject(this.#failed('there was no time left to ask it'))
    return withDeadline(bounds, async (until) => (await model()).doGenerate(generateOptions(this.#request, this.manner, until)))
  }

  /** Tells whether another request makes sense. First waits for the time that the provider asked for beyond the usual pause. */
  async #waited(retryDelay: number): Promise<boolean> {
    const { outcome = 'refused', failure } = this.#last ?? {}
    if (this.#stopped !== undefined || !passing.has(outcome)) return false
    const askedMs = failure instanceof ModelFailed ? (failure.retryAfterMs ?? 0) : 0
    if (Math.max(askedMs, retryDelay) >= this.#leftMs()) return false
    if (askedMs > retryDelay) await pause(askedMs - retryDelay, undefined, { signal: this.#request.signal })
    return true
  }

  async #unlessStopped<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      this.#stopped = { by: error }
      throw error
    }
  }

  #leftMs(): number {
    return this.#end - performance.now()
  }

  #failed(reason: string, concerns: ModelFailed['concerns'] = 'model'): ModelFailed {
    return new ModelFailed({ model: this.#asked.name, reason, isRetryable: true, concerns })
  }
}
