import { ImportFailed } from '../errors/import-failed.ts'
import type { ImportItem } from './importer.ts'

/** The conversations without a message that a file may hold, and as many more for each one with a message. */
const mostEmpty = 10_000
const mostEmptyForEach = 10

/**
 * Counts conversations without a message. An export has few; a file of millions would be read for minutes, and give
 * nothing.
 */
export class EmptyConversations {
  readonly #file: string
  #empty = 0
  #told = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Passes on the items of one conversation. Throws ImportFailed when too many conversations were empty. */
  *counting(items: Iterable<ImportItem>): Generator<ImportItem> {
    let isEmpty = true
    for (const item of items) {
      if (item.kind === 'message') isEmpty = false
      yield item
    }
    if (isEmpty) this.#empty += 1
    else this.#told += 1
    if (this.#empty <= mostEmpty + mostEmptyForEach * this.#told) return
    throw new ImportFailed({
      file: this.#file,
      reason: `it holds over ${mostEmpty} conversations without a message, as no export does: check that it is the right file.`,
    })
  }
}
