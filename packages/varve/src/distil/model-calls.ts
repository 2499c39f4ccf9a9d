import { Cancelled } from '../errors/cancelled.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import { VarveError } from '../errors/varve-error.ts'
import { wordless } from '../errors/wordless.ts'
import type { Clock } from '../clock/clock.ts'
import type { CallEnd, LanguageModel, ModelAnswer } from '../models/language-model.ts'
import type { Observer } from '../observe/observer.ts'
import { allLayersIn } from '../storage/layers.ts'
import type { Called } from '../storage/offer.ts'
import type { SizedPrompt, AskedFor, AskedModel } from './asked-model.ts'
import type { distilWrites } from './writes.ts'

/**
 * The time of one call, its repeated requests included: a minute, and what a model on a laptop's processor takes. It
 * reads some fifty tokens a second and writes ten.
 */
const leastCallMs = 60_000
const readMsPerToken = 20
const writtenMsPerToken = 100

/** Gives the longest time of a call: milliseconds. Tokens of the prompt are estimated; those of the answer are its room. */
export function callDeadlineMs({ tokens, maxOutputTokens }: Pick<SizedPrompt, 'tokens' | 'maxOutputTokens'>): number {
  return leastCallMs + readMsPerToken * tokens + writtenMsPerToken * maxOutputTokens
}

/** The pause after a failure of the model: it doubles from the first to the longest. */
const firstBackOffMs = 5_000
const longestBackOffMs = 3_600_000

/** After so many requests in a row that failed each by itself, the model pauses as well, though never for long. */
export const mostRefused = 6
const longestRefusedMs = 600_000

/** The means of the calls of several models. */
export interface CallMeans {
  /** The writes by which calls are recorded. */
  readonly ledger: Pick<Called<typeof distilWrites>, 'beginCall' | 'endCall'>
  readonly clock: Clock
  readonly observer: Observer
  /** Counts the requests of all models together. */
  readonly tally: { made: number }
  /** Milliseconds of a call. Absent: as its tokens want it. */
  readonly deadlineMs: number | undefined
}

/**
 * The calls of one language model. Each is counted in the ledger before it is sent, under the ceiling. None is made
 * while the model is known to be down.
 */
export class ModelCalls implements AskedModel {
  readonly #model: LanguageModel
  readonly #means: CallMeans
  /** Pauses in a row, and requests in a row that failed by themselves. */
  #failures = 0
  #refused = 0
  #notBefore = 0
  #failure: string | undefined

  constructor(model: LanguageModel, means: CallMeans) {
    this.#model = model
    this.#means = means
  }

  get name(): string {
    return this.#model.name
  }

  /** The time, by the store's clock, from which the model may be asked again. */
  get notBefore(): number {
    return this.#notBefore
  }

  get failure(): string | undefined {
    return this.#failure
  }

  /** Requests that were sent since the process began, to any of the models. */
  get made(): number {
    return this.#means.tally.made
  }

  isUp(): boolean {
    return this.#means.clock.now() >= this.#notBefore
  }

  window(signal: AbortSignal): Promise<number> {
    return this.#model.window(signal)
  }

  /**
   * Asks the model. ModelFailed when there is no answer, the ceiling included; `retryAfterMs` then tells when another
   * try may succeed.
   */
  async ask(asked: SizedPrompt, about: AskedFor, signal: AbortSignal): Promise<ModelAnswer> {
    this.#told(about)
    try {
      const answer = await this.#model.ask({
        ...asked,
        deadlineMs: this.#means.deadlineMs ?? callDeadlineMs(asked),
        signal,
        meter: { begin: () => this.#begin(asked.tokens, about) },
      })
      this.#failures = 0
      this.#refused = 0
      this.#failure = undefined
      return answer
    } catch (error) {
      if (error instanceof Cancelled || signal.aborted || error instanceof CeilingMet) throw error
      if (error instanceof ModelFailed) throw this.#failed(error)
      if (VarveError.is(error)) throw error
      throw this.#failed(new ModelFailed({ model: this.name, reason: 'its call failed', isRetryable: false }, { cause: wordless(error) }))
    }
  }

  async #begin(tokens: number, { project, task, layers, run, ceiling, dayEnds }: AskedFor): Promise<(end: CallEnd) => Promise<void>> {
    const now = this.#means.clock.now()
    const id = await this.#means.ledger.beginCall({ project, task, layers, model: this.name, tokens, run }, ceiling)
    if (id === undefined) throw new CeilingMet(this.name, dayEnds - now)
    this.#means.tally.made += 1
    this.#means.observer.count('modelCalls')
    return (end) => this.#means.ledger.endCall(id, end)
  }

  /** A model that is down pauses for everybody. A request that fails by itself holds up no other: only many in a row do. */
  #failed(error: ModelFailed): ModelFailed {
    const isOfRequest = error.concerns === 'request'
    if (isOfRequest) this.#refused += 1
    if (!isOfRequest || this.#refused % mostRefused === 0) {
      const longestMs = isOfRequest ? longestRefusedMs : longestBackOffMs
      const pause = Math.max(error.retryAfterMs ?? 0, Math.min(longestMs, firstBackOffMs * 2 ** this.#failures))
      this.#failures += 1
      this.#failure = error.reason
      this.#notBefore = this.#means.clock.now() + pause
    }
    this.#means.observer.warn(error.code, error.message, `model ${error.reason}`)
    return error
  }

  /** Tells the user, once a process, that the model is asked: its calls cost money. */
  #told({ layers }: AskedFor): void {
    const names = allLayersIn(layers).join(', ')
    this.#means.observer.notice(
      `${this.name} is asked to write ${names} from now on, also once for each earlier session that lacks a layer; ` +
        '`varve ledger` shows every call, `settings.ceiling` bounds them.',
      `calls ${this.name}`,
    )
  }
}

/** The error of a project that reached its ceiling of the day. Nothing was sent, and the model is not taken to fail. */
export class CeilingMet extends ModelFailed {
  constructor(model: string, retryAfterMs: number) {
    super({
      model,
      reason: "the project's ceiling of calls or tokens is met for today",
      isRetryable: true,
      retryAfterMs: Math.max(1, retryAfterMs),
    })
  }
}
