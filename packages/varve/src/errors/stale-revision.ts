import { VarveError } from './varve-error.ts'

/** The page was changed since the edited revision. Nothing was changed: edit the present one. */
export class StaleRevision extends VarveError {
  readonly code = 'STALE_REVISION'
  readonly page: string
  /** The revision that the edit was made on, and the present one. */
  readonly expected: number
  readonly standing: number

  constructor(facts: { page: string; expected: number; standing: number }, options?: ErrorOptions) {
    super(
      `${JSON.stringify(facts.page)} is at revision ${facts.standing} by now; the edit was made on ${facts.expected}. Nothing ` +
        'was changed: read it again and edit what stands there.',
      options,
    )
    this.page = facts.page
    this.expected = facts.expected
    this.standing = facts.standing
  }

  get isRetryable(): boolean {
    return true
  }
}
