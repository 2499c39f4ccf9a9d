import { VarveError } from './varve-error.ts'

/** The caller aborted the call through its signal. */
export class Cancelled extends VarveError {
  readonly code = 'CANCELLED'
  readonly operation: string

  constructor(facts: { operation: string }, options?: ErrorOptions) {
    super(`${facts.operation} was cancelled by its signal.`, options)
    this.operation = facts.operation
  }

  get isRetryable(): boolean {
    return false
  }
}
