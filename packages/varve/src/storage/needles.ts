import { ContextsSeen } from './log/contexts.ts'

/** Erased bytes that are kept in memory until the files were searched for them; over this the file is rewritten instead. */
export const maxNeedleBytes = 16 * 1024 * 1024

/** What is shorter stands in other texts as well (a speaker's name, "m001"), and would be found for ever. */
export const leastTelling = 12

/**
 * The bytes that an erasure took away, by which the files are searched for copies. Bounded: a project's are gathered
 * in one transaction.
 */
export class Needles {
  /** Which contexts were looked through ahead for what goes. */
  readonly contexts = new ContextsSeen()
  #found: Uint8Array[] | undefined = []
  #bytes = 0

  /** All of them, or undefined when they came to more than is searched for, or some are not known any more. */
  get all(): readonly Uint8Array[] | undefined {
    return this.#found
  }

  /** Some of what goes is not known any more: the file is to be rewritten. */
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
