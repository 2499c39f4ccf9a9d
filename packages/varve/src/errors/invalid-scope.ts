import { VarveError } from './varve-error.ts'

/** The name of a project, user or session is not valid. */
export class InvalidScope extends VarveError {
  readonly code = 'SCOPE_INVALID'
  readonly field: string
  readonly received: string
  readonly reason: string

  constructor(facts: { field: string; received: string; reason: string }, options?: ErrorOptions) {
    super(`${facts.field} ${facts.reason}: received ${facts.received}. Pass a non-empty string of at most 256 bytes.`, options)
    this.field = facts.field
    this.received = facts.received
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
