import { shown } from './shown.ts'
import { VarveError } from './varve-error.ts'

/** No id is longer, in UTF-16 code units: an error repeats no more of what an agent sends. */
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
