import { VarveError } from './varve-error.ts'

/** Another process held the store for longer than the busy time-out. */
export class StoreBusy extends VarveError {
  readonly code = 'STORE_BUSY'
  readonly store: string

  constructor(facts: { store: string }, options?: ErrorOptions) {
    super(`${facts.store} is locked by another process. Try again.`, options)
    this.store = facts.store
  }

  get isRetryable(): boolean {
    return true
  }
}
