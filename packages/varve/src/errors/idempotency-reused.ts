import { VarveError } from './varve-error.ts'

/** An idempotency key came with another batch than at first. Nothing of this one was stored. */
export class IdempotencyReused extends VarveError {
  readonly code = 'IDEMPOTENCY_REUSED'

  constructor(_facts: object = {}, options?: ErrorOptions) {
    super(
      'this idempotency key was used within the last 24 hours for other messages, or for another session. Nothing was stored: ' +
        'send the same messages again, or give new ones a new key.',
      options,
    )
  }

  get isRetryable(): boolean {
    return false
  }
}
