import { VarveError } from './varve-error.ts'

/** The file or its folder cannot be written; with a reason, what keeps it from being read all the same. */
export class StoreReadOnly extends VarveError {
  readonly code = 'STORE_READ_ONLY'
  readonly store: string
  /** The reason why it cannot even be read. */
  readonly reason: string | undefined

  constructor(facts: { store: string; reason?: string | undefined }, options?: ErrorOptions) {
    const { store, reason } = facts
    super(
      reason === undefined
        ? `${store} cannot be written: check the permissions of the file and of its folder.`
        : `${store} cannot be written, and not be read as it is: ${reason}`,
      options,
    )
    this.store = store
    this.reason = reason
  }

  get isRetryable(): boolean {
    return false
  }
}
