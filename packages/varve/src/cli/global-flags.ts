/** Flags that every command takes. */
export interface GlobalFlags {
  readonly store?: string
  readonly project?: string
  readonly user?: string
  readonly json?: boolean
}
