import { VarveError } from './varve-error.ts'

/** The store's server cannot be reached, or the connection to it was lost. */
export class StoreUnreachable extends VarveError {
  readonly code = 'STORE_UNREACHABLE'
  readonly store: string
  readonly reason: string
  /** True when a write of this call may be stored: its commit was sent, and no answer came. */
  readonly mayBeStored: boolean

  constructor(facts: { store: string; reason: string; mayBeStored?: boolean }, options?: ErrorOptions) {
    const outcome =
      facts.mayBeStored === true
        ? 'A write of this call may be stored: call again, a message with an id is stored once.'
        : 'Nothing of this call was stored. Try again.'
    super(`${facts.store} cannot be reached (${facts.reason}). ${outcome}`, options)
    this.store = facts.store
    this.reason = facts.reason
    this.mayBeStored = facts.mayBeStored ?? false
  }

  get isRetryable(): boolean {
    return true
  }
}
