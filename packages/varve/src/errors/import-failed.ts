import { VarveError } from './varve-error.ts'

/** The file cannot be imported. */
export class ImportFailed extends VarveError {
  readonly code = 'IMPORT_FAILED'
  readonly file: string
  readonly reason: string

  constructor(facts: { file: string; reason: string }, options?: ErrorOptions) {
    super(`${facts.file} cannot be imported: ${facts.reason}`, options)
    this.file = facts.file
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
