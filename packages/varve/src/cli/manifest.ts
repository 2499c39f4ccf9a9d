/** The fields of package.json that the command line reads. */
export interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}
