import { growingCache } from '../caches/growing-cache.ts'
import { extractive } from '../models/writer.ts'
import type { Again } from '../storage/work.ts'
import type { Written, Chunk } from '../tasks/parts/read-span.ts'
import type { Problem } from '../tasks/problem.ts'
import type { NoAnswer } from './ask-unless-down.ts'
import type { AskedModel } from './asked-model.ts'
import type { Outline } from './compose.ts'
import { type Limits, mostAttempts } from './limits.ts'
import type { SessionReading } from './session-reading.ts'
import { spanKey, type SpanOf } from './span-of.ts'
import { spanTokens } from './span-tokens.ts'

/** The most sessions whose failed requests are remembered; those of another are made again. */
export const mostCutShort = 10_000

/** The most parts that a gist leaves out while talk goes on. With 20 messages a reading, one fusion serves some six readings. */
const mostNewer = 3

/** Sessions whose reading ended early, by their numbers. */
export class CutShort {
  readonly #failures = growingCache<number, Failures>(mostCutShort)

  get(session: number): Failures | undefined {
    return this.#failures.get(session)
  }

  set(session: number, failures: Failures): void {
    this.#failures.set(session, failures)
  }

  delete(session: number): void {
    this.#failures.delete(session)
  }
}

/** The failures of a reading. */
export interface Failures {
  /** The session's epoch: it changes when a part of it is forgotten. */
  readonly epoch: number
  /** Spans for which no answer of the model can be used. */
  readonly spans: Set<string>
  /** Those of them that were sent and got no answer. */
  readonly tried: Set<string>
  /** Spans in a row of which nothing that the model answered can be used. */
  useless: number
  /** Undefined until a request fails. */
  reason: string | undefined
  /** The time of the next try, by the model's word. */
  notBefore: number
  /** True once a request was sent that failed, or whose answer cannot be used. */
  isTried: boolean
}

/** One reading of a session, or the rest of one. */
export class ReadingRun {
  readonly reading: SessionReading
  readonly holder: string
  readonly layers: number
  readonly window: number | undefined
  readonly limits: Limits
  readonly failures: Failures
  #begun = 0
  #last: NoAnswer | undefined
  /** UTC milliseconds. */
  #waitsUntil = 0

  constructor(
    { reading, holder, layers }: { reading: SessionReading; holder: string; layers: number },
    window: number | undefined,
    limits: Limits,
    failures: Failures,
  ) {
    this.reading = reading
    this.holder = holder
    this.layers = layers
    this.window = window
    this.limits = limits
    this.failures = failures
  }

  /** Tells whether the limits are reached. Each run does at least one piece, so that work goes on however short the time is. */
  isOver(model: AskedModel | undefined): boolean {
    this.#begun += 1
    const { until, signal } = this.limits
    return signal.aborted || (this.#begun > 1 && performance.now() >= until) || (model !== undefined && model.made >= this.limits.calls)
  }

  of(chunk: Chunk): Omit<SpanOf, 'layers'> {
    const { partition, session, name, settings } = this.reading
    return { partition, session, name, chunk, maxTokens: spanTokens(this.window), calendar: settings }
  }

  /**
   * Tells whether a fusion waits until the session settles. While talk goes on, the item of the parts before serves, unless
   * many parts are newer.
   */
  waits({ before, parts }: Outline, now: number): boolean {
    const { settlesAt } = this.reading
    if (this.limits.mayWait !== true || before === undefined || parts.length < 2 || before.newer.length > mostNewer || now >= settlesAt)
      return false
    this.#waitsUntil = settlesAt
    return true
  }

  /** The next attempt at the text that is provisional, or waits. */
  get again(): Again & { readonly reason: string | undefined } {
    const { notBefore, reason, isTried } = this.failures
    return { notBefore: Math.max(notBefore, this.#waitsUntil), reason, isUntried: !isTried }
  }

  /** Notes a request without an answer. */
  unanswered(failed: NoAnswer): void {
    this.#last = failed
    this.failures.reason = failed.reason
    this.failures.notBefore = Math.max(this.failures.notBefore, failed.notBefore)
    this.failures.isTried ||= !failed.isUntried
  }

  /** The text of a span without an answer. It waits for a model that is down, and not for ever for one that refuses this span. */
  provisional(span: SpanOf): Written {
    if (this.#last?.isUntried === false) this.failures.tried.add(spanKey(span))
    return { writer: extractive, provisional: this.#last?.isOfRequest !== true || this.mayTryAgain }
  }

  /** True when a model with useless answers may be asked another time. It is not asked for ever. */
  get mayTryAgain(): boolean {
    return this.reading.attempts < mostAttempts
  }

  /** The text of a span that is not asked for, since the answers about those before it could not be used. */
  provisionalUseless(): Written {
    return { writer: extractive, provisional: this.mayTryAgain }
  }

  unusable(problem: Problem): Written {
    this.unanswered({ reason: problem, notBefore: 0, isUntried: false, isOfRequest: true })
    this.limits.unused?.(problem)
    return { writer: extractive, provisional: this.mayTryAgain }
  }
}
