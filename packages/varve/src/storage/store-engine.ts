import type { Check } from './check.ts'
import type { Program } from './program.ts'

/** How a store is opened. */
export interface OpenOptions {
  /** Absolute path, or ':memory:'; an address where the engine has no files. */
  readonly place: string
  /** Whether it is opened to be written too: then it is made, or migrated, when it has to be. */
  readonly writes: boolean
  /** UTC milliseconds: when it was made, if it is. */
  readonly now: number
  /** The identity that a new store gets. */
  readonly identity: { readonly id: string; readonly key: string }
}

/** A store that is open. */
export interface OpenStore {
  /** The store's secret, made with it: what fences and shingles are keyed by. */
  readonly key: string
  /** How much is stored, in bytes, as far as that is known at opening. */
  readonly bytes: number
  /** The time of records and leases: the caller's where one process at a time has the store's clock, the store's own elsewhere. */
  now(given: number): number
  /** Runs a program that only reads, as of one state of the store. It may be started more than once. */
  read<Result>(program: () => Program<Result>): Promise<Result>
  /**
   * Runs a program in a transaction; resolves when it is durable. It may be started more than once. `weight`: how
   * many messages' worth of work it is.
   */
  write<Result>(program: () => Program<Result>, weight?: number): Promise<Result>
  /** Tries to get erased words out of the files; undefined words: no longer known. Gives back why it could not. */
  eraseBytes(words: readonly Uint8Array[] | undefined): Promise<string | undefined>
  /** Looks the store over. Reads only. `segmentBytes`: what the index takes in memory. */
  diagnose(segmentBytes: number): readonly Check[]
  /** Writes what waits, then closes. */
  close(): void
}

/** A storage engine: what runs the store's programs, and what differs from the others. */
export interface StoreEngine {
  readonly name: string
  /** How erased words leave the files: overwritten at once, or at the next rewrite of a table. */
  readonly erasure: 'bytes' | 'rewrite'
  open(options: OpenOptions): Promise<OpenStore>
  /** A driver's error as one of ours; what is already ours stays as it is. */
  classify(error: unknown, place: string, operation: string): Error
}
