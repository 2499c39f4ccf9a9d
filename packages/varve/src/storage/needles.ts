import { ContextsSeen } from './log/contexts.ts'

/** The most erased bytes kept in memory until the files are searched for them. Over this the file is rewritten instead. */
export const maxNeedleBytes = 16 * 1024 * 1024

/**
 * The shortest text to search for, in bytes. A shorter one stands in other texts as well (a speaker's name, "m001"),
 * and would be found for ever.
 */
export const leastTelling = 12

/**
 * The bytes that an erasure took away, by which the files are searched for copies. Bounded, since one transaction
 * gathers a whole project's.
 */
export class Needles {
  /** The contexts that were searched ahead of the erasure. */
  readonly contexts = new ContextsSeen()
  #found: Uint8Array[] | undefined = []
  #bytes = 0

  /** All gathered bytes; undefined when they are too many, or when some are no longer known. */
  get all(): readonly Uint8Array[] | undefined {
    return this.#found
  }

  /** Notes that some erased bytes are no longer known: the file must be rewritten. */
  lose(): void {
    this.#found = undefined
  }

  add(needles: Iterable<Uint8Array>): void {
    for (const needle of needles) {
      this.#bytes += needle.length
      if (this.#bytes > maxNeedleBytes) this.#found = undefined
      this.#found?.push(needle)
    }
  }
}
