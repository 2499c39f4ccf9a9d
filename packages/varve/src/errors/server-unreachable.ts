import { VarveError } from './varve-error.ts'

/** A server did not answer, or its answer was cut. A write may have been done. */
export class ServerUnreachable extends VarveError {
  readonly code = 'SERVER_UNREACHABLE'
  readonly reason: string

  constructor(facts: { reason: string }, options?: ErrorOptions) {
    super(`The server of Varve could not be reached: ${facts.reason}.`, options)
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return true
  }
}
