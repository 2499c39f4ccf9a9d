/** What the command line needs of package.json. */
export interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}
