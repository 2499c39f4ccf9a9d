import { VarveError } from './varve-error.ts'

/** No space is left. Earlier data can be read, and writing works again when there is space. */
export class DiskFull extends VarveError {
  readonly code = 'DISK_FULL'
  readonly store: string

  constructor(facts: { store: string }, options?: ErrorOptions) {
    super(
      `no space is left for ${facts.store}. Nothing of this call was stored; earlier data can be read. Free some space and try again.`,
      options,
    )
    this.store = facts.store
  }

  get isRetryable(): boolean {
    return true
  }
}
