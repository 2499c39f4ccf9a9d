import { VarveError } from './varve-error.ts'

/** The message cannot be stored; nothing of its batch was. `index` is its place in the batch, from 0. */
export class InvalidMessage extends VarveError {
  readonly code = 'MESSAGE_INVALID'
  readonly index: number
  readonly field: string
  readonly reason: string

  constructor(facts: { index: number; field: string; reason: string }, options?: ErrorOptions) {
    super(`message ${facts.index}: ${facts.field} ${facts.reason}. Nothing of this batch was stored.`, options)
    this.index = facts.index
    this.field = facts.field
    this.reason = facts.reason
  }

  get isRetryable(): boolean {
    return false
  }
}
