import { setTimeout as pause } from 'node:timers/promises'
import pRetry from 'p-retry'
import { ModelFailed } from '../../errors/model-failed.ts'
import type { CallEnd, CallOutcome, ModelAnswer, ModelRequest } from '../language-model.ts'
import { classifyFailure } from './classify-failure.ts'
import { readResult, type UsedTokens } from './language-answer.ts'
import { generateOptions, type Manner, milderAfter } from './language-manner.ts'
import { collected } from './language-stream.ts'
import type { AiSdkLanguageModel } from './language-model-shape.ts'
import type { CheckedLanguageOptions } from './language-options.ts'
import { concernOf, outcomeOf, passing } from './language-outcome.ts'
import { withDeadline } from './with-deadline.ts'

/** The most repeats of a request that failed for a passing reason. */
const repeats = 2

/** A cut answer is asked for once more with so many times the room, as far as the window goes. */
const leastRaise = 2
const mostRaise = 4

export interface AskedLanguageModel {
  readonly name: string
  readonly model: () => Promise<AiSdkLanguageModel>
  /** The manner of the first request. */
  readonly manner?: Manner
  readonly options: CheckedLanguageOptions
}

/** The result of one request. */
interface Reply {
  readonly outcome: CallOutcome
  readonly used: UsedTokens
  readonly answer?: ModelAnswer
  /** The manner of the next request, when a milder one may work. */
  readonly milder?: Manner | undefined
  /** True when the room for the answer was used up. */
  readonly isCut?: boolean
  readonly hasReasoned?: boolean
  readonly failure?: Error
}

const unanswered: UsedTokens = { inputTokens: 0, outputTokens: 0 }

/** One `ask`: its requests one after the other, with milder and repeated ones, within one deadline. */
export class LanguageCall {
  readonly #asked: AskedLanguageModel
  readonly #request: ModelRequest
  readonly #window: () => Promise<number>
  #end: number
  #last: Reply | undefined
  #stopped: { readonly by: unknown } | undefined
  manner: Manner

  /** `window` gives the most tokens of prompt and answer together. */
  constructor(asked: AskedLanguageModel, request: ModelRequest, manner: Manner, window: () => Promise<number>) {
    this.#window = window
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

  /** A milder request follows at once: each leaves one part out, so there are few. So does one with more room, once. */
  async #attempt(): Promise<ModelAnswer> {
    let cut: Reply | undefined
    for (;;) {
      const reply = (this.#last = await this.#metered())
      if (reply.hasReasoned === true && this.manner.effort === 'usual') this.manner = { ...this.manner, effort: 'low' }
      const isRoomRefused = cut !== undefined && reply.milder?.room === 1
      if (reply.milder !== undefined && !isRoomRefused) this.manner = reply.milder
      else if (reply.isCut === true && cut === undefined && (await this.#raised())) cut = reply
      else return this.#settled(reply, cut)
    }
  }

  /** Returns the answer of the last request, or of the one that was cut before it. A raised room that did not help is given up. */
  #settled(reply: Reply, cut: Reply | undefined): ModelAnswer {
    if (cut !== undefined && (reply.isCut === true || reply.answer === undefined)) this.manner = { ...this.manner, room: 1 }
    const answer = reply.answer ?? cut?.answer
    if (answer !== undefined) return answer
    throw cut?.failure ?? reply.failure ?? this.#failed('its call failed')
  }

  /** Raises the room for the answer. False where the window has none for twice the length. */
  async #raised(): Promise<boolean> {
    const { tokens = 0, maxOutputTokens, deadlineMs } = this.#request
    if (this.manner.room > 1) return false
    const room = Math.min(mostRaise, ((await this.#window()) - tokens) / maxOutputTokens)
    if (room < leastRaise) return false
    this.manner = { ...this.manner, room }
    this.#end = performance.now() + deadlineMs * room
    return true
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
      const { answer, fault, isUnstructured, used, isCut, hasReasoned } = readResult(await this.#generated(), isStructured)
      const milder = isUnstructured ? { ...this.manner, isStructured: false } : undefined
      const reply = { used, milder, isCut, hasReasoned }
      return answer === undefined
        ? { ...reply, outcome: 'unreadable', failure: this.#failed(fault, 'request') }
        : { ...reply, outcome: 'answered', answer }
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
    return withDeadline(bounds, async (until) => {
      const asked = await model()
      const call = generateOptions(this.#request, this.manner, until)
      return this.manner.isStreamed && asked.doStream !== undefined
        ? collected((await asked.doStream(call)).stream)
        : asked.doGenerate(call)
    })
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
