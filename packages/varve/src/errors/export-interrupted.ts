import { VarveError } from './varve-error.ts'

/** The store was changed while it was exported: something was erased, or a layer was rewritten again and again. */
export class ExportInterrupted extends VarveError {
  readonly code = 'EXPORT_INTERRUPTED'
  readonly reason: string

  constructor(facts: { reason?: string } = {}, options?: ErrorOptions) {
    const { reason = 'something was erased meanwhile, and lines that were written before may hold it' } = facts
    super(`the export ended early: ${reason}. Throw its lines away, and export again.`, options)
    this.reason = reason
  }

  get isRetryable(): boolean {
    return true
  }
}
