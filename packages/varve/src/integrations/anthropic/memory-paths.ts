import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { MemoryToolRefusal } from './memory-refusal.ts'

/** The folder that the model sees. */
export const memoryRoot = '/memories'

/** The longest path, in bytes of UTF-8. With its digest it is still a document's name. */
export const maxPathBytes = 238

/** Signs that would break the lines of a listing, or forge one. */
const control = /[\p{Cc}\u2028\u2029]/u

/** Paths whose name as a document tells them from every other path. */
const plain = /^\/memories\/[a-z0-9]+(?:_[a-z0-9]+)*\.[a-z0-9]+$/
const digested = / ~[0-9a-f]{16}$/

/** Gives the path without `.`, `..` and doubled slashes. Refuses what is not within the folder. */
export function pathWithin(given: unknown, parameter: string): string {
  if (typeof given !== 'string') throw new MemoryToolRefusal(`Invalid \`${parameter}\` parameter: it must be a text.`)
  if (given !== memoryRoot && !given.startsWith(`${memoryRoot}/`))
    throw new MemoryToolRefusal(`Path must start with ${memoryRoot}, got: ${given}`)
  const path = posix.resolve(memoryRoot, `./${given.slice(memoryRoot.length)}`)
  if (path !== memoryRoot && !path.startsWith(`${memoryRoot}/`))
    throw new MemoryToolRefusal(`Path ${given} would escape ${memoryRoot} directory`)
  if (control.test(path) || !path.isWellFormed()) throw new MemoryToolRefusal(`Path ${given} has a character that no file name can have`)
  return path
}

/**
 * Gives the name of the document that holds a file. The names of documents do not tell case and punctuation apart, and
 * paths do: so a name has a digest of its path, unless it is a simple one right below the folder.
 *
 * @example memoryFileName('/memories/travel_plans.md') // '/memories/travel_plans.md'
 */
export function memoryFileName(path: string): string {
  return plain.test(path) ? path : `${path} ~${createHash('sha256').update(path).digest('hex').slice(0, 16)}`
}

/** Gives the path of a document's file; undefined when the document holds none. */
export function pathOfName(name: string): string | undefined {
  if (!name.startsWith(`${memoryRoot}/`)) return undefined
  const path = name.replace(digested, '')
  return memoryFileName(path) === name ? path : undefined
}

/** Refuses a path that is too long for a new file. */
export function checkLength(path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes > maxPathBytes) throw new MemoryToolRefusal(`The path ${path} is too long: ${bytes} bytes. The most is ${maxPathBytes}.`)
}
