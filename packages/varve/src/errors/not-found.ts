import { shown } from './shown.ts'
import { VarveError } from './varve-error.ts'

/** The longest id that an error repeats, in UTF-16 code units. No stored id is as long. */
const longestId = 1_024

/** This partition has no such thing. Another partition may have it: that is never told. */
export class NotFound extends VarveError {
  readonly code = 'NOT_FOUND'
  readonly kind: string
  readonly id: string

  constructor(facts: { kind: string; id: string }, options?: ErrorOptions) {
    const written = String(JSON.stringify(facts.id))
    super(`no ${facts.kind} ${written.length > longestId ? `with an id that is ${shown(facts.id)}` : written} here.`, options)
    this.kind = facts.kind
    this.id = facts.id
  }

  get isRetryable(): boolean {
    return false
  }
}
