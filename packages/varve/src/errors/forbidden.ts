import { VarveError } from './varve-error.ts'

/** The key may not do this. The answer is the same whether the thing exists or not. */
export class Forbidden extends VarveError {
  readonly code = 'FORBIDDEN'
  readonly reason: string

  constructor(facts: { reason: string }, options?: ErrorOptions) {
    super(`This is not allowed: ${facts.reason}.`, options)
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
