import { VarveError } from './varve-error.ts'

/** The file or its folder cannot be written. */
export class StoreReadOnly extends VarveError {
  readonly code = 'STORE_READ_ONLY'
  readonly store: string

  constructor(facts: { store: string }, options?: ErrorOptions) {
    super(`${facts.store} cannot be written: check the permissions of the file and of its folder.`, options)
    this.store = facts.store
  }

  get isRetryable(): boolean {
    return false
  }
}
