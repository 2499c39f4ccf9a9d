import { statSync } from 'node:fs'
import { StoreGone } from '../../errors/store-gone.ts'

/**
 * The file of a store, as it was when it was opened. SQLite goes on writing into a file that was deleted, and says nothing: what
 * it acknowledges is lost with the last connection. So each read, and each commit before it is acknowledged, looks whether the
 * path has that file still, which takes a few microseconds. The connection stays open meanwhile: once closed, another file could get
 * the same number.
 */
export class StandingFile {
  readonly #file: string
  readonly #first: string | undefined

  /** Notes the file, which is there. Made before a connection is opened, and looked at after, it is the connection's. */
  constructor(file: string) {
    this.#file = file
    this.#first = numberOf(file)
  }

  /** Tells whether the path has that file still. */
  stands(): boolean {
    return numberOf(this.#file) === this.#first
  }

  /** StoreGone where the path has another file now, or none. */
  mustStand(): void {
    if (!this.stands()) throw new StoreGone({ store: this.#file })
  }
}

/** Gives the device and the number of a file; undefined for none, and for a store in memory. */
function numberOf(file: string): string | undefined {
  if (file === ':memory:') return undefined
  // Some file systems have numbers over 2^53, which a plain number would round.
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev} ${stats.ino}`
}
