import { VarveError } from './varve-error.ts'

interface ModelFailure {
  readonly model: string
  readonly reason: string
  readonly isRetryable: boolean
  readonly retryAfterMs?: number | undefined
  /** Default: `model`. */
  readonly concerns?: 'model' | 'request'
}

/** A model could not be loaded, did not answer, or gave a senseless answer. Nothing of the call was used. */
export class ModelFailed extends VarveError {
  readonly code = 'MODEL_FAILED'
  readonly model: string
  /** The reason in Varve's own words, with the provider's status: it may be stored. The provider's words may hold the request. */
  readonly reason: string
  /** Set by the code that called the model: only that code can tell a passing failure from a lasting one. */
  readonly isRetryable: boolean
  /** The milliseconds that the provider asked to wait, if it did. */
  readonly retryAfterMs: number | undefined
  /** `request`: other requests to the same model may be answered. `model`: none is, for now. */
  readonly concerns: 'model' | 'request'

  constructor(facts: ModelFailure, options?: ErrorOptions) {
    super(`${facts.model} failed: ${facts.reason}. ${advice(facts.isRetryable, facts.retryAfterMs)}`, options)
    this.model = facts.model
    this.reason = facts.reason
    this.isRetryable = facts.isRetryable
    this.retryAfterMs = facts.retryAfterMs
    this.concerns = facts.concerns ?? 'model'
  }
}

function advice(isRetryable: boolean, retryAfterMs: number | undefined): string {
  if (!isRetryable) return 'The same call will fail again until this is put right.'
  return retryAfterMs === undefined ? 'Try again.' : `Try again in ${retryAfterMs} ms.`
}
