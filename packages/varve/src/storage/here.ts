import type { Program } from './program.ts'

/** What a room's function stands on, wherever it runs: one call's time, and the store. */
export interface Here {
  /** The store's time of this call: UTC milliseconds. */
  readonly now: number
  /** The store's secret, by which fences and shingles are keyed. */
  readonly key: string
  /** The most memory that the index may take, in bytes. */
  readonly segmentBytes: number
  /** Runs a program that only reads, as of one state of the store. */
  read<Result>(program: Program<Result>): Promise<Result>
  /** What a room keeps in memory between calls: made at the first, the same from then on. */
  keep<Kept extends object>(kind: abstract new (...args: never[]) => Kept, make: () => Kept): Kept
}

/** Where changes are made. */
export interface WritingHere extends Here {
  /**
   * Runs a program in a transaction; resolves when it is durable. It may be started more than once. `weight`: how
   * many messages' worth of work it is.
   */
  write<Result>(program: () => Program<Result>, weight?: number): Promise<Result>
  /** Tries to get erased words out of the store's files; undefined words: no longer known. Gives back why it could not. */
  eraseBytes(words: readonly Uint8Array[] | undefined): Promise<string | undefined>
}
