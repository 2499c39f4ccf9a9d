import { VarveError } from './varve-error.ts'

/** The store could not do the call; nothing of it was acknowledged. */
export class StoreFailed extends VarveError {
  readonly code = 'STORE_FAILED'
  readonly operation: string
  readonly reason: string

  constructor(facts: { operation: string; reason: string }, options?: ErrorOptions) {
    super(`the store failed at ${facts.operation}: ${facts.reason}. Nothing of this call was acknowledged.`, options)
    this.operation = facts.operation
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return true
  }
}
