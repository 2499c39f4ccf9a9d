import { VarveError } from './varve-error.ts'

/** The file is not a Varve store; it was not touched. */
export class StoreForeign extends VarveError {
  readonly code = 'STORE_FOREIGN'
  readonly store: string
  readonly reason: string

  constructor(facts: { store: string; reason: string }, options?: ErrorOptions) {
    super(`${facts.store} is not a Varve store (${facts.reason}). It was not changed: choose another path.`, options)
    this.store = facts.store
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
