import { VarveError } from './varve-error.ts'

/** An export is not as it was made, or is no export: a line was changed, lost, added or moved, or says something impossible. */
export class ExportBroken extends VarveError {
  readonly code = 'EXPORT_BROKEN'
  /** The number of the first wrong line: 1 for the first line. */
  readonly line: number
  readonly reason: string

  constructor(facts: { line: number; reason: string }, options?: ErrorOptions) {
    super(`line ${facts.line} of the export cannot be taken: ${facts.reason}. Nothing of it was stored.`, options)
    this.line = facts.line
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
