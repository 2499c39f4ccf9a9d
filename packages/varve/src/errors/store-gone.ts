import { VarveError } from './varve-error.ts'

/** The path of the store has another file than the one that was opened, or none. Nothing of the call was acknowledged. */
export class StoreGone extends VarveError {
  readonly code = 'STORE_GONE'
  readonly store: string

  constructor(facts: { store: string }, options?: ErrorOptions) {
    super(
      `${facts.store} was moved, deleted or replaced while it was open. This call was not acknowledged: put it back, or open it anew.`,
      options,
    )
    this.store = facts.store
  }

  get isRetryable(): boolean {
    return true
  }
}
