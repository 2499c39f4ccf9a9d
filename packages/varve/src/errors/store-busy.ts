import { VarveError } from './varve-error.ts'

/** Another process held the store for longer than the busy time-out. */
export class StoreBusy extends VarveError {
  readonly code = 'STORE_BUSY'
  readonly store: string

  readonly reason?: string

  constructor(facts: { store: string; reason?: string }, options?: ErrorOptions) {
    super(`${facts.store} is locked by another process${facts.reason === undefined ? '' : ` (${facts.reason})`}. Try again.`, options)
    this.store = facts.store
    if (facts.reason !== undefined) this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return true
  }
}
