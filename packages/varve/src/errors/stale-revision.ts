import { VarveError } from './varve-error.ts'

/** It was changed since the edited revision or version. Nothing was changed: edit the present one. */
export class StaleRevision extends VarveError {
  readonly code = 'STALE_REVISION'
  readonly page: string
  /** The revision, or the version, that the edit was made on, and the present one. */
  readonly expected: number | string
  readonly standing: number | string

  constructor(facts: { page: string; expected: number | string; standing: number | string }, options?: ErrorOptions) {
    const mark = typeof facts.standing === 'number' ? 'revision' : 'version'
    super(
      `${JSON.stringify(facts.page)} is at ${mark} ${facts.standing} by now; the edit was made on ${facts.expected}. Nothing ` +
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
