import { VarveError } from './varve-error.ts'

/** A text or a list would be longer than allowed. Nothing was changed. */
export class LimitExceeded extends VarveError {
  readonly code = 'LIMIT_EXCEEDED'
  readonly what: string
  readonly unit: string
  /** The requested size and the allowed size. */
  readonly count: number
  readonly most: number

  constructor(facts: { what: string; unit: string; count: number; most: number }, options?: ErrorOptions) {
    super(
      `${facts.what} would have ${facts.count} ${facts.unit}, and may have ${facts.most}. Nothing was changed: shorten it, ` +
        'take something out, or raise the limit where it can be.',
      options,
    )
    this.what = facts.what
    this.unit = facts.unit
    this.count = facts.count
    this.most = facts.most
  }

  get isRetryable(): boolean {
    return false
  }
}
