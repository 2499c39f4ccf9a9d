import { VarveError } from './varve-error.ts'

/** An option of a call has the wrong type or range. */
export class InvalidOption extends VarveError {
  readonly code = 'OPTION_INVALID'
  readonly option: string
  readonly received: string
  readonly expected: string

  constructor(facts: { option: string; received: string; expected: string }, options?: ErrorOptions) {
    super(`${facts.option} must be ${facts.expected}: received ${facts.received}.`, options)
    this.option = facts.option
    this.received = facts.received
    this.expected = facts.expected
  }

  get isRetryable(): boolean {
    return false
  }
}
