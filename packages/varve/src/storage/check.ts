/** One check of the doctor. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** The remedy when the check fails. */
  readonly fix?: string
}

/** The state of the store, as far as it can be told. */
export interface Diagnosis {
  /** True when every check passed. */
  readonly ok: boolean
  readonly checks: readonly Check[]
}
