import { dirname, join } from 'node:path'

export const root = dirname(import.meta.dirname)

/** Where the packages are found that the product finds: one of them is there in another version than at the root. */
export const out = join(root, 'packages', 'varve', 'node_modules', '.cache', 'tests-built')

/**
 * Where a program that the tests start stands once it was built (build.ts), by its place in the repository:
 * `test/fault/children/load-child.ts`.
 */
export function builtProgram(path: string): string {
  return join(out, 'built', path.replace(/\.ts$/, '.js'))
}
