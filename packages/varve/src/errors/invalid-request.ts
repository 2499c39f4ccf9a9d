import { VarveError } from './varve-error.ts'

/** A request of HTTP that no operation can be asked with: an unknown path, a body that is no JSON or is too large. Nothing was done. */
export class InvalidRequest extends VarveError {
  readonly code = 'REQUEST_INVALID'
  /** The status of HTTP. */
  readonly status: number
  readonly reason: string

  constructor(facts: { status: number; reason: string }, options?: ErrorOptions) {
    super(`The request cannot be used: ${facts.reason}.`, options)
    this.status = facts.status
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
