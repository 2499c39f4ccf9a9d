import { VarveError } from './varve-error.ts'

/** Too many requests came with one key or from one address. */
export class RateLimited extends VarveError {
  readonly code = 'RATE_LIMITED'
  /** The time until another request is taken: milliseconds. */
  readonly retryAfterMs: number

  constructor(facts: { retryAfterMs: number }, options?: ErrorOptions) {
    super(`Too many requests: try again in ${facts.retryAfterMs} ms.`, options)
    this.retryAfterMs = facts.retryAfterMs
  }

  get isRetryable(): boolean {
    return true
  }
}
