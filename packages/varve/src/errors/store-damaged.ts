import { VarveError } from './varve-error.ts'

/** The file is a database, but damaged; it was not touched. */
export class StoreDamaged extends VarveError {
  readonly code = 'STORE_DAMAGED'
  readonly store: string
  readonly reason: string

  constructor(facts: { store: string; reason: string }, options?: ErrorOptions) {
    super(
      `${facts.store} is damaged (${facts.reason}). It was not changed: restore a copy, or salvage it with the sqlite3 tool (.recover).`,
      options,
    )
    this.store = facts.store
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
