import { VarveError } from './varve-error.ts'

/** The call took longer than its deadline. A write may still have been stored: give messages an id and send them again. */
export class DeadlineExceeded extends VarveError {
  readonly code = 'DEADLINE_EXCEEDED'
  readonly operation: string
  readonly deadlineMs: number

  constructor(facts: { operation: string; deadlineMs: number }, options?: ErrorOptions) {
    super(
      `${facts.operation} took longer than ${facts.deadlineMs} ms. A write may still be stored: messages with an id can ` +
        'safely be sent again.',
      options,
    )
    this.operation = facts.operation
    this.deadlineMs = facts.deadlineMs
  }

  get isRetryable(): boolean {
    return true
  }
}
