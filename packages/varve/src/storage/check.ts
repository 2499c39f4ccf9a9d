/** One check of the doctor. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** The remedy when the check fails. */
  readonly fix?: string
}

/** How the memory is, as far as the store can tell. */
export interface Diagnosis {
  readonly ok: boolean
  readonly checks: readonly Check[]
}
