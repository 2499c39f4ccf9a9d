import { existsSync, readFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PackageFileMissing } from '../errors/package-file-missing.ts'

/** The version of this code. The build writes it here; the sources find every file where they expect it. */
const version = 'VERSION_OF_VARVE'

/**
 * Finds a file of this package that its code needs at run time: a thread's module, the embedding model. Returns
 * undefined when the file is at the address where the code expects it.
 *
 * A bundler may have moved the code and left the file. Then the file of an installed Varve of the same version serves:
 * another version's threads would not understand this one. Bundlers that copy files rewrite the address, where it is
 * written as a literal path and `import.meta.url` within `new URL`. A thread they find in `new Worker(new URL(…), {…})`
 * with every option written out: Turbopack passes over a call whose options it cannot read.
 *
 * @throws PackageFileMissing when no such file is found.
 */
export function foundElsewhere(address: () => URL, path: string): URL | undefined {
  const expected = addressOf(address)
  if (expected !== undefined && existsSync(expected)) return undefined
  const installed = installedFolder()
  const file = installed === undefined ? undefined : join(installed, path)
  if (file !== undefined && existsSync(file)) return pathToFileURL(file)
  throw new PackageFileMissing({ file: path, expected: expected?.href ?? 'a path beside its code' })
}

/**
 * Loads a module that the code could not load from where it is, as the installed Varve loads it: a path from its
 * folder, or a package that it depends on, of a shape that the caller knows. `error` is the first failure, and is
 * thrown when it is of another kind.
 *
 * @throws PackageFileMissing when no Varve of this version is installed.
 */
export function requiredElsewhere<Shape>(id: string, error: unknown): Shape {
  if (!isNotFound(error) && !hasNoAddress(error)) throw error
  const installed = installedFolder()
  if (installed === undefined) throw new PackageFileMissing({ file: id, expected: 'a path beside its code' }, { cause: error })
  return nodeModule.createRequire(join(installed, 'package.json'))(id)
}

/** Returns the folder of an installed Varve of this version: one that the bundle, the program or its folder would import. */
function installedFolder(): string | undefined {
  // Code that esbuild made CommonJS does not know its own address.
  const bundle: string | undefined = import.meta.url
  const program = pathToFileURL(process.argv[1] ?? 'program.js').href
  for (const from of [bundle ?? program, program, pathToFileURL('program.js').href]) {
    const manifest = manifestFrom(from)
    if (manifest === undefined) continue
    const found: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
    if (typeof found === 'object' && found !== null && Reflect.get(found, 'version') === version) return dirname(manifest)
  }
  return undefined
}

function manifestFrom(from: string): string | undefined {
  try {
    return nodeModule.findPackageJSON('varve', from)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Returns the address of a file beside the code; undefined where the code does not know its own. */
function addressOf(address: () => URL): URL | undefined {
  try {
    return address()
  } catch (error) {
    if (hasNoAddress(error)) return undefined
    throw error
  }
}

/** Node's answers to `new URL('./name', undefined)` and to `createRequire(undefined)`. */
function hasNoAddress(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && (error.code === 'ERR_INVALID_URL' || error.code === 'ERR_INVALID_ARG_VALUE')
}

/** Node's answer when a module or a package is not there, to `require` and to `import`. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND')
}
