import { VarveError } from './varve-error.ts'

/** The line of each tool's configuration that leaves Varve's code in its package, beside its files. */
const mends = [
  "Next.js: serverExternalPackages: ['varve']",
  'esbuild: --external:varve',
  "Vite: ssr: { external: ['varve'] }",
  "webpack: target: 'node22', externals: { varve: 'import varve' }",
].join('; ')

/** A file of the package is not beside its code: most often, a bundler took the code and left the file. */
export class PackageFileMissing extends VarveError {
  readonly code = 'PACKAGE_FILE_MISSING'
  /** Its path in the package. */
  readonly file: string
  /** The address at which the code looked for it. */
  readonly expected: string

  constructor(facts: { file: string; expected: string }, options?: ErrorOptions) {
    super(
      `Varve's file ${facts.file} is missing: it is not at ${facts.expected}, and no Varve of the same version is installed here. ` +
        `If a bundler took Varve's code in, let it leave the package out (${mends}), and install varve where the program runs. ` +
        'See docs/guides/bundlers.md in the package.',
      options,
    )
    this.file = facts.file
    this.expected = facts.expected
  }

  get isRetryable(): boolean {
    return false
  }
}
