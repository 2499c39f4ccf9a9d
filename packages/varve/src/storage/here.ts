import type { Patience } from './patience.ts'
import type { Program } from './program.ts'
import type { FarVectors } from './segment/far-vectors.ts'
import type { StoreCopy } from './store-engine.ts'

/** The place in which a room's function runs: it gives the time of one call, and the store. */
export interface Here {
  /** The store's time of this call: UTC milliseconds. */
  readonly now: number
  /** The store's secret, the key of fences and shingles. */
  readonly key: string
  /** The most memory that the index may take, in bytes. */
  readonly segmentBytes: number
  /** Finds messages that a partial index leaves out; undefined where nothing does. */
  readonly far?: FarVectors | undefined
  /** Runs a program that only reads, on one state of the store. */
  read<Result>(program: Program<Result>): Promise<Result>
  /** Returns an object that a room keeps in memory between calls; makes it at the first call. */
  keep<Kept extends object>(kind: abstract new (...args: never[]) => Kept, make: () => Kept): Kept
}

/** The place in which a function copies the store. */
export interface CopyingHere extends Here {
  /** Is aborted when nobody wants the answer any more. */
  readonly signal: AbortSignal
  /** Copies one state of the store into a new file, and verifies it. */
  copyTo(file: string, signal: AbortSignal): Promise<StoreCopy>
}

/** The place in which a function changes the store. */
export interface WritingHere extends Here {
  /** True when each step of a program is a round trip to a server. */
  readonly isFar?: boolean
  /**
   * Runs a program in a transaction; resolves when it is durable. The program may be started more than once. `weight`
   * is the work as a number of messages. Default patience: full. Programs of one `lane` (storage/lane.ts) are written in
   * their order.
   */
  write<Result>(program: () => Program<Result>, weight?: number, patience?: Patience, lane?: string): Promise<Result>
  /** Tries to get erased words out of the store's files; undefined words are no longer known. Returns the reason when it could not. */
  eraseBytes(words: readonly Uint8Array[] | undefined): Promise<string | undefined>
  /** On a full disk, makes room for writes that erase. Returns whether another attempt makes sense. */
  makeRoom(): Promise<boolean>
}
