import { VarveError } from './varve-error.ts'

/** This partition has no such thing. Another partition may have it: that is never told. */
export class NotFound extends VarveError {
  readonly code = 'NOT_FOUND'
  readonly kind: string
  readonly id: string

  constructor(facts: { kind: string; id: string }, options?: ErrorOptions) {
    super(`no ${facts.kind} ${JSON.stringify(facts.id)} here.`, options)
    this.kind = facts.kind
    this.id = facts.id
  }

  get isRetryable(): boolean {
    return false
  }
}
