import { VarveError } from './varve-error.ts'

/** A model could not be loaded, did not answer, or answered with what makes no sense. Nothing of the call was used. */
export class ModelFailed extends VarveError {
  readonly code = 'MODEL_FAILED'
  readonly model: string
  /** In our own words: it may be stored. */
  readonly reason: string
  /** The provider's own words, where it said some: they may hold what it was sent, so they are told and never stored. */
  readonly said: string | undefined
  /** Given, not computed: only whoever called the model can tell a passing failure from one that stays. */
  readonly isRetryable: boolean
  /** How long the provider asked to be left alone, where it said so. */
  readonly retryAfterMs: number | undefined

  constructor(
    facts: { model: string; reason: string; said?: string | undefined; isRetryable: boolean; retryAfterMs?: number | undefined },
    options?: ErrorOptions,
  ) {
    super(
      `${facts.model} failed: ${facts.reason}${facts.said === undefined ? '' : ` (${facts.said})`}. ` +
        `${advice(facts.isRetryable, facts.retryAfterMs)}`,
      options,
    )
    this.model = facts.model
    this.reason = facts.reason
    this.said = facts.said
    this.isRetryable = facts.isRetryable
    this.retryAfterMs = facts.retryAfterMs
  }
}

function advice(isRetryable: boolean, retryAfterMs: number | undefined): string {
  if (!isRetryable) return 'The same call will fail again until this is put right.'
  return retryAfterMs === undefined ? 'Try again.' : `Try again in ${retryAfterMs} ms.`
}
