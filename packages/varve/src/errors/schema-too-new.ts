import { VarveError } from './varve-error.ts'

/** The store was written by a newer Varve. */
export class SchemaTooNew extends VarveError {
  readonly code = 'SCHEMA_TOO_NEW'
  readonly store: string
  readonly found: number
  readonly supported: number

  constructor(facts: { store: string; found: number; supported: number }, options?: ErrorOptions) {
    super(
      `${facts.store} has schema version ${facts.found}; this Varve knows up to ${facts.supported}. It was not changed: update varve.`,
      options,
    )
    this.store = facts.store
    this.found = facts.found
    this.supported = facts.supported
  }

  get isRetryable(): boolean {
    return false
  }
}
