import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A module that users import. */
export interface EntryPoint {
  /** The subpath, such as `./client/tools`; `.` for the package itself. */
  readonly subpath: string
  /** Its module under `src` and `dist`, without an ending: `client/tools`. */
  readonly module: string
}

const manifest = join(import.meta.dirname, '..', 'packages', 'varve', 'package.json')

/** Returns the modules in the export map of the package, in its order. */
export function entryPoints(): EntryPoint[] {
  const { exports }: { exports: Readonly<Record<string, string | { readonly default: string }>> } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  )
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string' ? [] : [{ subpath, module: target.default.replace(/^\.\/dist\/(.+)\.js$/, '$1') }],
  )
}
