import type { Clock } from '../clock/clock.ts'
import { ModelFailed } from '../errors/model-failed.ts'
import type { ModelAnswer } from '../models/language-model.ts'
import type { Again } from '../storage/work.ts'
import type { AskedFor, AskedModel, SizedPrompt } from './asked-model.ts'
import { CeilingMet } from './model-calls.ts'

/** A request that got no answer. `isUntried` when it was not sent: the model is down, or the project's ceiling is met. */
export interface NoAnswer extends Again {
  readonly reason: string
  readonly isUntried: boolean
  /** True when this request alone failed: others may be answered now, and it may never be. */
  readonly isOfRequest: boolean
}

/** Asks a model that is not known to be down. Passes on all errors but ModelFailed. */
export async function askUnlessDown(
  model: AskedModel,
  [asked, about]: readonly [SizedPrompt, AskedFor],
  clock: Clock,
  signal: AbortSignal,
): Promise<ModelAnswer | NoAnswer> {
  if (!model.isUp())
    return { reason: model.failure ?? 'the model is left alone for now', notBefore: model.notBefore, isUntried: true, isOfRequest: false }
  try {
    return await model.ask(asked, about, signal)
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error
    const { reason, retryAfterMs = 0, concerns } = error
    return { reason, notBefore: clock.now() + retryAfterMs, isUntried: error instanceof CeilingMet, isOfRequest: concerns === 'request' }
  }
}
