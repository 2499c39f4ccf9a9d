/** One thing that the doctor looked at. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** What to do when it is not well. */
  readonly fix?: string
}

/** How the memory is, as far as the store can tell. */
export interface Diagnosis {
  readonly ok: boolean
  readonly checks: readonly Check[]
}
